import type { Row } from "../../plan/schema.js";
import type { AddFile } from "./actions.js";
import { type DataFile, dataFile, readDataFile } from "./data-file.js";
import type { LogStore } from "./log-store.js";
import type { Snapshot } from "./snapshot.js";
import type { StagedCommit } from "./staged-commit.js";
import { schemaOfTable } from "./table-schema.js";

interface Merge {
  /** Files that held rows of the batch's keys. */
  readonly removed: readonly AddFile[];
  /** What is left of them. */
  readonly kept: readonly DataFile[];
}

/**
 * Copy on write: every file that holds a row of one of the batch's keys is written anew without it. Reads the whole table, or, where
 * partition columns are among the key, the partitions of the batch's rows.
 */
export async function mergeByKey(
  store: LogStore,
  root: string,
  snapshot: Snapshot,
  commit: StagedCommit,
): Promise<Merge> {
  const { key } = commit;
  const keys = new Set<string>();
  for (const { bytes, partitionValues } of commit.files)
    for (const row of await readDataFile(bytes)) keys.add(keyText(row, partitionValues, key));
  const schema = schemaOfTable(snapshot.metaData!.schemaString);
  const removed: AddFile[] = [];
  const kept: DataFile[] = [];
  for (const add of snapshot.files.values()) {
    if (!mayHold(add, commit)) continue;
    const bytes = await store.get(`${root}${decodeURIComponent(add.path)}`);
    const rows = bytes === null ? [] : await readDataFile(bytes);
    const left = rows.filter((row) => !keys.has(keyText(row, add.partitionValues, key)));
    if (left.length === rows.length) continue;
    removed.push(add);
    const columns = schema.fields.filter(({ name }) => !Object.hasOwn(add.partitionValues, name));
    if (left.length > 0) kept.push(dataFile(left, { fields: columns }, add.partitionValues));
  }
  return { removed, kept };
}

/** Rows of one key are of one partition, if the key says which. */
function mayHold({ partitionValues }: AddFile, { key, partitionBy, files }: StagedCommit): boolean {
  const telling = partitionBy.filter((name) => key.includes(name));
  return files.some((file) => telling.every((name) => file.partitionValues[name] === partitionValues[name]));
}

/** Null equals null: a group of null is one group. */
const keyText = (row: Row, partitionValues: DataFile["partitionValues"], key: readonly string[]): string =>
  JSON.stringify(
    key.map((name) => (Object.hasOwn(partitionValues, name) ? partitionValues[name] : (row[name] ?? null))),
    (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value),
  );
