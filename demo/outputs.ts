import { gunzipSync } from "node:zlib";
import type { ObjectStore } from "../lib/checkpoint/object-store.js";

export type OutputRow = Record<string, unknown>;

/** Reads what a query has written, as anybody would who is given the bucket: list, fetch, unzip, parse. */
export interface OutputReader {
  /** Rows of objects that were not there at the last call. */
  newRows(prefix: string): Promise<readonly OutputRow[]>;
}

export function outputReader(store: ObjectStore): OutputReader {
  const seen = new Set<string>();
  return {
    async newRows(prefix) {
      const rows: OutputRow[] = [];
      for await (const { key } of store.list(prefix)) {
        if (seen.has(key)) continue;
        seen.add(key);
        const bytes = await store.get(key);
        if (bytes === null) continue;
        for (const line of gunzipSync(bytes).toString("utf8").split("\n"))
          if (line !== "") rows.push(JSON.parse(line) as OutputRow);
      }
      return rows;
    },
  };
}
