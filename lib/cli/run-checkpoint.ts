import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CheckpointLog } from "../checkpoint/checkpoint-log.js";
import { fileCheckpointLog } from "../checkpoint/file-checkpoint-log.js";
import { fileObjectStore } from "../checkpoint/file-object-store.js";
import { memoryCheckpointLog } from "../checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../checkpoint/memory-object-store.js";
import type { ObjectStore } from "../checkpoint/object-store.js";
import { userError } from "../errors.js";
import { type FileIdentity, identifyFiles, verifyFiles } from "../sources/file-identity.js";
import type { Inputs } from "./inputs.js";

export interface Checkpoint {
  readonly log: CheckpointLog;
  readonly objects: ObjectStore;
}

/** What a resumed run must find again, beside the checkpoint that it resumes. */
interface RunRecord {
  readonly query: string;
  readonly inputs: Readonly<Record<string, readonly FileIdentity[]>>;
  /** The delays under which no row is late, by watermark in ms; absent: of the query. */
  readonly exact?: readonly number[];
}

export const memoryCheckpoint = (now: () => number): Checkpoint => ({
  log: memoryCheckpointLog(now),
  objects: memoryObjectStore(now),
});

/** The checkpoint of one query in a directory, as `run` writes it and `progress` and `state` read it. */
export const directoryCheckpoint = (directory: string, now: () => number): Checkpoint => ({
  log: fileCheckpointLog(directory, now),
  objects: fileObjectStore(join(directory, "objects")),
});

/**
 * Makes the directory, or checks that it is of this query and these files; sizes and hashes are kept for the next time.
 * @throws `source-recreated`, `checkpoint-of-another-query`, `checkpoint-exact`
 */
export async function claimDirectory(
  directory: string,
  query: string,
  inputs: Inputs,
  exact: readonly number[] | null,
): Promise<void> {
  const path = join(directory, "inputs.json");
  const before = await readRecord(path);
  if (before !== null && before.query !== query) {
    throw userError(
      "checkpoint-of-another-query",
      `'${directory}' holds the checkpoint of ${before.query}, not of ${query}.`,
      "Give each query a directory of its own.",
    );
  }
  if (before !== null && String(before.exact ?? null) !== String(exact)) {
    throw userError(
      "checkpoint-exact",
      `'${directory}' was begun ${before.exact === undefined ? "without --exact" : "with --exact over other files"}.`,
      "Resume with the same command and the same files, or start anew with an empty directory.",
    );
  }
  const now: [string, readonly FileIdentity[]][] = [];
  for (const [source, paths] of inputs) {
    await verifyFiles(before?.inputs[source] ?? [], paths);
    now.push([source, await identifyFiles(paths)]);
  }
  const record: RunRecord = { query, inputs: Object.fromEntries(now), ...(exact === null ? {} : { exact }) };
  await mkdir(directory, { recursive: true });
  const temporary = `${path}.new`;
  await writeFile(temporary, JSON.stringify(record, null, 2));
  await rename(temporary, path);
}

async function readRecord(path: string): Promise<RunRecord | null> {
  try {
    return JSON.parse(await readFile(path, "utf8")) as RunRecord;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
