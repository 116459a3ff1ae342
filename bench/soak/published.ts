import { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";
import type { ObjectStore } from "../../lib/checkpoint/object-store.js";
import { outputFolder } from "../../lib/sinks/output-keys.js";
import type { OutputName } from "../../lib/sinks/sink.js";

export interface Published {
  readonly objects: number;
  readonly result: ReadonlyMap<string, string>;
  readonly late: ReadonlySet<string>;
  readonly malformed: ReadonlySet<string>;
  /** Groups, late rows or records that stand in more than one object. */
  readonly twice: readonly string[];
}

interface SidePlace {
  readonly source: { readonly shard: string; readonly sequence: string };
}

/** What a reader of the bucket finds. */
export async function readPublished(store: ObjectStore, query: string, incarnation: string): Promise<Published> {
  const twice: string[] = [];
  let objects = 0;

  const rowsOf = async (output: OutputName): Promise<unknown[]> => {
    const rows: unknown[] = [];
    for await (const { key } of store.list(outputFolder("out/", { query, incarnation }, output))) {
      objects++;
      const text = gunzipSync((await store.get(key)) ?? Buffer.alloc(0)).toString();
      for (const line of text.trimEnd().split("\n")) rows.push(JSON.parse(line));
    }
    return rows;
  };
  const placesOf = async (output: OutputName): Promise<Set<string>> => {
    const places = new Set<string>();
    for (const { source } of (await rowsOf(output)) as SidePlace[]) {
      const place = `${source.shard}:${source.sequence}`;
      if (places.has(place)) twice.push(`${output} ${place}`);
      places.add(place);
    }
    return places;
  };

  const result = new Map<string, string>();
  for (const row of (await rowsOf("result")) as {
    window: { start: string };
    device: string;
    readings: number;
    total: number;
  }[]) {
    const key = `${new Date(row.window.start).toISOString()} ${row.device}`;
    if (result.has(key)) twice.push(key);
    result.set(key, `${row.readings} ${row.total}`);
  }
  const [late, malformed] = [await placesOf("late"), await placesOf("malformed")];
  return { objects, result, late, malformed, twice };
}
