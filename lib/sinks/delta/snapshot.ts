import { Buffer } from "node:buffer";
import { userError } from "../../errors.js";
import type { AddFile, LogLine, MetaData, Protocol, Txn } from "./actions.js";
import { readLogCheckpoint } from "./log-checkpoint.js";
import type { LogStore } from "./log-store.js";

/** A table as one version of its log leaves it. */
export interface Snapshot {
  /** -1: there is no table yet. */
  readonly version: number;
  readonly protocol: Protocol | null;
  readonly metaData: MetaData | null;
  /** By path. */
  readonly files: ReadonlyMap<string, AddFile>;
  /** By appId. */
  readonly txns: ReadonlyMap<string, Txn>;
}

const VERSION_DIGITS = 20;

const logFolder = (root: string): string => `${root}_delta_log/`;
export const commitKey = (root: string, version: number): string =>
  `${logFolder(root)}${String(version).padStart(VERSION_DIGITS, "0")}.json`;
export const checkpointKey = (root: string, version: number): string =>
  `${logFolder(root)}${String(version).padStart(VERSION_DIGITS, "0")}.checkpoint.parquet`;
export const lastCheckpointKey = (root: string): string => `${logFolder(root)}_last_checkpoint`;

const COMMIT = /\/(\d{20})\.json$/;

/**
 * Reads the newest version: the last checkpoint that is named, and the commits after it.
 * @throws `delta-log` where a commit is missing or does not parse
 */
export async function readSnapshot(store: LogStore, root: string): Promise<Snapshot> {
  const from = await namedCheckpoint(store, root);
  const state = new SnapshotBuilder();
  if (from !== null) for (const line of await readLogCheckpoint(store, checkpointKey(root, from))) state.apply(line);
  let version = from ?? -1;
  const keys = await store.list(logFolder(root), from === null ? logFolder(root) : commitKey(root, from));
  for (const key of keys) {
    const found = COMMIT.exec(key)?.[1];
    if (found === undefined) continue;
    if (Number(found) !== version + 1) throw brokenLog(root, `version ${version + 1} is not there`);
    version = Number(found);
    for (const line of linesOf((await store.get(key)) ?? new Uint8Array(), root)) state.apply(line);
  }
  return state.at(version);
}

/** The next version, as the actions of its commit make it. */
export function applied({ version, protocol, metaData, files, txns }: Snapshot, actions: readonly LogLine[]): Snapshot {
  const state = new SnapshotBuilder();
  for (const line of snapshotLines({ version, protocol, metaData, files, txns })) state.apply(line);
  for (const line of actions) state.apply(line);
  return state.at(version + 1);
}

/** What a checkpoint of a snapshot holds, and a later reader starts from. */
export function* snapshotLines({ protocol, metaData, files, txns }: Snapshot): Generator<LogLine> {
  if (protocol !== null) yield { protocol };
  if (metaData !== null) yield { metaData };
  for (const txn of txns.values()) yield { txn };
  for (const add of files.values()) yield { add };
}

class SnapshotBuilder {
  #protocol: Protocol | null = null;
  #metaData: MetaData | null = null;
  readonly #files = new Map<string, AddFile>();
  readonly #txns = new Map<string, Txn>();

  apply({ protocol, metaData, add, remove, txn }: LogLine): void {
    if (protocol != null) this.#protocol = protocol;
    if (metaData != null) this.#metaData = metaData;
    if (add != null) this.#files.set(add.path, add);
    if (remove != null) this.#files.delete(remove.path);
    if (txn != null) this.#txns.set(txn.appId, txn);
  }

  at(version: number): Snapshot {
    return { version, protocol: this.#protocol, metaData: this.#metaData, files: this.#files, txns: this.#txns };
  }
}

async function namedCheckpoint(store: LogStore, root: string): Promise<number | null> {
  const bytes = await store.get(lastCheckpointKey(root));
  if (bytes === null) return null;
  const { version, parts, v2Checkpoint } = JSON.parse(Buffer.from(bytes).toString("utf8")) as {
    readonly version: number;
    readonly parts?: number;
    readonly v2Checkpoint?: unknown;
  };
  if (parts !== undefined || v2Checkpoint != null)
    throw brokenLog(root, "its checkpoint has several parts, or is of version 2");
  return version;
}

function linesOf(bytes: Uint8Array, root: string): readonly LogLine[] {
  try {
    return Buffer.from(bytes)
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as LogLine);
  } catch {
    throw brokenLog(root, "a commit is no JSON");
  }
}

const brokenLog = (root: string, what: string) =>
  userError(
    "delta-log",
    `The log of the Delta table at ${root} cannot be read: ${what}.`,
    "Restore the table's log, or write to a new path.",
  );
