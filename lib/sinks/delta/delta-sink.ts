import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { externalError, TidemarkError } from "../../errors.js";
import type { Row } from "../../plan/schema.js";
import { keyPrefix, keySegment } from "../output-keys.js";
import type { OutputBatch, PublishIdentity, Sink } from "../sink.js";
import { stagedFor } from "../staged-for.js";
import type { AddFile, LogLine, MetaData, Protocol } from "./actions.js";
import { type DataFile, dataFiles, filePath, storedRows } from "./data-file.js";
import { encodeLogCheckpoint } from "./log-checkpoint.js";
import type { LogStore } from "./log-store.js";
import { mergeByKey } from "./merge.js";
import { requireWritable } from "./requirements.js";
import {
  applied,
  checkpointKey,
  commitKey,
  lastCheckpointKey,
  readSnapshot,
  type Snapshot,
  snapshotLines,
} from "./snapshot.js";
import { decodeCommit, encodeCommit, type StagedCommit } from "./staged-commit.js";
import { evolvedSchema, hasLocalTimes, requireDeltaNames, schemaString } from "./table-schema.js";

export interface DeltaSinkOptions {
  readonly store: LogStore;
  /** The table's folder in the store. */
  readonly path: string;
  readonly partitionBy: readonly string[];
  /** Output columns that rows are replaced by; none: rows are added. */
  readonly key: readonly string[];
  readonly mergeSchema: boolean;
  readonly sleep: (ms: number) => Promise<void>;
  /** In [0, 1): jitter between attempts. */
  readonly random: () => number;
}

/** Commits that other writers may win before the invocation gives up. */
const ATTEMPTS = 20;
const CHECKPOINT_INTERVAL = 10;

/**
 * A Delta Lake table. Exactly once: each batch is one commit of the table's log, which holds a `txn` action with query, incarnation and
 * state partition as its appId and the batch's id as its version; a batch whose txn is there is done.
 */
export function deltaSink(options: DeltaSinkOptions): Sink {
  const root = keyPrefix(options.path);
  return {
    kind: "delta",
    wholeCommit: true,
    stage: (batch) =>
      batch.rows.length === 0
        ? []
        : [{ output: batch.output, sink: "delta", bytes: encodeCommit(stagedCommit(batch, options)) }],
    async publish(identity, parts) {
      const [first, ...rest] = stagedFor("delta", parts).map(({ bytes }) => decodeCommit(bytes));
      if (first === undefined) return;
      const commit = { ...first, files: [first, ...rest].flatMap(({ files }) => files) };
      try {
        await publishCommit(options, root, identity, commit);
      } catch (cause) {
        if (cause instanceof TidemarkError) throw cause;
        throw externalError(
          "sink-unavailable",
          `Writing batch ${identity.batchId} to the Delta table at ${root} failed.`,
          "It is tried again from the checkpoint; if it stays, check the bucket and the function's permissions there.",
          cause,
        );
      }
    },
  };
}

function stagedCommit(batch: OutputBatch, { partitionBy, key, mergeSchema }: DeltaSinkOptions): StagedCommit {
  const { schema, outputMode, arrival } = batch;
  requireDeltaNames(schema);
  const stored = storedRows(batch.rows, schema);
  const mode = outputMode === "complete" ? "overwrite" : key.length > 0 ? "merge" : "append";
  const rows = mode === "merge" ? lastPerKey(stored, key) : stored;
  const files = dataFiles(rows, schema, partitionBy);
  return { mode, schemaString: schemaString(schema), partitionBy, key, mergeSchema, arrival, files };
}

function lastPerKey(rows: readonly Row[], key: readonly string[]): readonly Row[] {
  const text = (value: unknown) => JSON.stringify(value, (_, part) => (typeof part === "bigint" ? `${part}n` : part));
  return [...new Map(rows.map((row) => [text(key.map((name) => row[name])), row])).values()];
}

async function publishCommit(
  { store, sleep, random }: DeltaSinkOptions,
  root: string,
  identity: PublishIdentity,
  commit: StagedCommit,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (attempt > 0) await sleep(random() * 50 * 2 ** Math.min(attempt, 6));
    const snapshot = await readSnapshot(store, root);
    if (isDone(snapshot, identity, commit.mode)) return;
    const actions = await actionsOf(store, root, snapshot, identity, commit);
    const version = snapshot.version + 1;
    const lines = actions.map((action) => JSON.stringify(action)).join("\n");
    if (!(await store.putIfAbsent(commitKey(root, version), Buffer.from(`${lines}\n`, "utf8")))) continue;
    await checkpointIfDue(store, root, applied(snapshot, actions));
    return;
  }
  throw externalError(
    "delta-contended",
    `${ATTEMPTS} attempts to commit to the Delta table at ${root} lost to other writers.`,
    "It is tried again from the checkpoint; if it stays, let fewer writers share the table.",
  );
}

const appPrefix = (query: string): string => `tidemark/${query}/`;
const appId = ({ query, incarnation, partition }: PublishIdentity): string =>
  `${appPrefix(query)}${incarnation}/${partition}`;

/** Its own batch or a later one is there; or, where rows are replaced, one of a newer incarnation. */
function isDone({ txns }: Snapshot, identity: PublishIdentity, mode: StagedCommit["mode"]): boolean {
  if ((txns.get(appId(identity))?.version ?? 0) >= identity.batchId) return true;
  if (mode === "append") return false;
  const prefix = appPrefix(identity.query);
  return [...txns.keys()].some(
    (id) => id.startsWith(prefix) && id.slice(prefix.length).split("/")[0]! > identity.incarnation,
  );
}

async function actionsOf(
  store: LogStore,
  root: string,
  snapshot: Snapshot,
  identity: PublishIdentity,
  commit: StagedCommit,
): Promise<readonly LogLine[]> {
  const { arrival, mode } = commit;
  const table = snapshot.version < 0 ? [] : [snapshot.protocol!, snapshot.metaData!];
  const head = table.length === 0 ? newTable(identity, commit) : changedTable(snapshot, commit);
  const merged =
    mode === "merge" && snapshot.version >= 0
      ? await mergeByKey(store, root, { ...snapshot, metaData: metaDataOf(head) ?? snapshot.metaData }, commit)
      : { removed: mode === "overwrite" ? [...snapshot.files.values()] : [], kept: [] };
  const added = await putFiles(store, root, identity, commit.files, "", arrival);
  // What is kept depends on the version that it was read at.
  const kept = await putFiles(store, root, identity, merged.kept, `-v${snapshot.version + 1}`, arrival);
  return [
    {
      commitInfo: {
        timestamp: arrival,
        operation: "STREAMING UPDATE",
        operationParameters: operation(identity, mode),
        engineInfo: "tidemark",
      },
    },
    ...head,
    { txn: { appId: appId(identity), version: identity.batchId, lastUpdated: arrival } },
    ...merged.removed.map(({ path, partitionValues, size }) => ({
      remove: { path, deletionTimestamp: arrival, dataChange: true, partitionValues, size },
    })),
    ...[...kept, ...added].map((add) => ({ add })),
  ];
}

const operation = ({ incarnation, batchId }: PublishIdentity, mode: StagedCommit["mode"]) => ({
  outputMode: mode,
  queryId: incarnation,
  epochId: String(batchId),
});

const metaDataOf = (actions: readonly LogLine[]): MetaData | undefined =>
  actions.find(({ metaData }) => metaData !== undefined)?.metaData;

function newTable(identity: PublishIdentity, commit: StagedCommit): readonly LogLine[] {
  const local = hasLocalTimes(commit.schemaString);
  const protocol: Protocol = local
    ? { minReaderVersion: 3, minWriterVersion: 7, readerFeatures: ["timestampNtz"], writerFeatures: ["timestampNtz"] }
    : { minReaderVersion: 1, minWriterVersion: 2 };
  const digest = createHash("sha256").update(appId(identity)).digest("hex");
  const metaData: MetaData = {
    id: digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5"),
    format: { provider: "parquet", options: {} },
    schemaString: commit.schemaString,
    partitionColumns: commit.partitionBy,
    configuration: {},
    createdTime: commit.arrival,
  };
  return [{ protocol }, { metaData }];
}

/** Nothing, unless columns are new. */
function changedTable({ protocol, metaData }: Snapshot, commit: StagedCommit): readonly LogLine[] {
  requireWritable(protocol!, metaData!, commit);
  const schemaText = evolvedSchema(metaData!.schemaString, commit.schemaString, commit.mergeSchema);
  return schemaText === metaData!.schemaString ? [] : [{ metaData: { ...metaData!, schemaString: schemaText } }];
}

/** Under names that the identity gives: a repeat puts the same bytes over themselves. */
async function putFiles(
  store: LogStore,
  root: string,
  { query, incarnation, partition, batchId }: PublishIdentity,
  files: readonly DataFile[],
  suffix: string,
  modificationTime: number,
): Promise<readonly AddFile[]> {
  const added: AddFile[] = [];
  for (const [at, { partitionValues, stats, bytes }] of files.entries()) {
    const name = `part-${keySegment(query)}-${incarnation}-${partition}-${batchId}-${at}${suffix}`;
    const path = filePath(partitionValues, name);
    await store.put(`${root}${path}`, bytes);
    added.push({ path, partitionValues, size: bytes.length, modificationTime, dataChange: true, stats });
  }
  return added;
}

async function checkpointIfDue(store: LogStore, root: string, snapshot: Snapshot): Promise<void> {
  const interval = Number(snapshot.metaData?.configuration?.["delta.checkpointInterval"] ?? CHECKPOINT_INTERVAL);
  if (snapshot.version === 0 || snapshot.version % interval !== 0) return;
  const lines = [...snapshotLines(snapshot)];
  await store.put(checkpointKey(root, snapshot.version), encodeLogCheckpoint(lines));
  const last = JSON.stringify({ version: snapshot.version, size: lines.length });
  await store.put(lastCheckpointKey(root), Buffer.from(last, "utf8"));
}
