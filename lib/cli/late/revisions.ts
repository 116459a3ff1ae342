import { fileObjectStore } from "../../checkpoint/file-object-store.js";
import type { ObjectStore } from "../../checkpoint/object-store.js";
import { s3ObjectStore } from "../../checkpoint/s3-object-store.js";
import { lazyClients } from "../../lambda/clients.js";
import { hasOwnEndpoints } from "../../lambda/environment.js";
import type { Row, Schema } from "../../plan/schema.js";
import { gzip } from "../../sinks/gzip.js";
import { jsonLines, rowWriter } from "../../sinks/json-lines.js";
import { inflatedObject } from "../inflated-object.js";
import { bucketAndKey } from "../s3-address.js";

const DIGITS = 4;

/** Corrected results beside the originals, a file a revision; each holds the windows that changed since the one before. */
export interface Revisions {
  /**
   * Writes what differs from the revisions there are, whole or not at all, and gives its number; null: nothing differs. So a replay that
   * was killed, or is run again, leaves the same files.
   */
  write(rows: readonly Row[], schema: Schema): Promise<{ readonly revision: number; readonly rows: number } | null>;
}

/** In a folder, or under `s3://bucket/prefix`. */
export async function openRevisions(
  place: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Revisions> {
  const address = bucketAndKey(place);
  if (address === null) return revisionsIn(fileObjectStore(place), "", "jsonl");
  const client = await lazyClients(hasOwnEndpoints(env)).s3();
  const folder = address.key.replace(/\/*$/, "/");
  return revisionsIn(s3ObjectStore(client, address.bucket), folder, "jsonl.gz");
}

export const revisionsIn = (store: ObjectStore, folder: string, extension: "jsonl" | "jsonl.gz"): Revisions => ({
  async write(rows, schema) {
    const line = rowWriter(schema);
    const [known, last] = await readAll(store, folder);
    const changed = rows.filter((row) => !known.has(line(row)));
    if (changed.length === 0) return null;
    const revision = last + 1;
    const numbered = { fields: [...schema.fields, { name: "revision", type: "long" as const, nullable: false }] };
    const bytes = jsonLines(
      changed.map((row) => ({ ...row, revision })),
      numbered,
    );
    const name = `${folder}revision-${String(revision).padStart(DIGITS, "0")}.${extension}`;
    await store.put(name, extension === "jsonl" ? bytes : gzip(bytes), { contentType: "application/x-ndjson" });
    return { revision, rows: changed.length };
  },
});

/** The lines of the revisions there are, without their number, and the last number. A window that changed twice has a newer line. */
async function readAll(store: ObjectStore, folder: string): Promise<readonly [ReadonlySet<string>, number]> {
  const lines = new Set<string>();
  let last = 0;
  for await (const { key } of store.list(folder)) {
    const [, number] = /revision-(\d+)\.jsonl(\.gz)?$/.exec(key) ?? [];
    if (number === undefined) continue;
    last = Math.max(last, Number(number));
    const text = new TextDecoder().decode(inflatedObject(key, (await store.get(key))!));
    for (const each of text.split("\n")) lines.add(each.replace(/,"revision":\d+\}$/, "}"));
  }
  return [lines, last];
}
