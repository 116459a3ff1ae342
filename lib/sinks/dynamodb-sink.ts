import { Buffer } from "node:buffer";
import { externalError } from "../errors.js";
import { type Item, itemOf } from "./dynamodb-item.js";
import { gunzip, gzip } from "./gzip.js";
import { inParallel } from "./in-parallel.js";
import { piecesOf } from "./pieces.js";
import { type OutboxPart, type Sink, staging } from "./sink.js";
import { stagedFor } from "./staged-for.js";

/** The part of a table that the sink needs. Implementations: `dynamodb-table`, `memory-table`. */
export interface VersionedTable {
  /**
   * Puts the item if none with its key stands there, or one of an older incarnation, or of the same incarnation and an older batch, or of the
   * same batch and an earlier step. False if a newer or the same one stands: then there is nothing to do.
   */
  putIfNewer(item: Item, version: ItemVersion): Promise<boolean>;
}

export interface ItemVersion {
  readonly incarnation: string;
  readonly batchId: number;
  /** Rises over the steps of a batch: one key may have rows in several. 0: the first, and all that was written before there were steps. */
  readonly step: number;
}

export interface DynamoDbSinkOptions {
  readonly table: VersionedTable;
  /** The table's key attributes, which are columns of the query: partition key, then sort key if there is one. */
  readonly key: readonly string[];
}

/** Of one step: a second's worth of puts at 20 ms each (rule A10). */
const ITEMS_PER_STEP = 500;
/** Puts under way at once per publish. */
const CONCURRENCY = 16;

/**
 * One item per key, the newest row of it. Exactly once: rows are folded per key in the order of emission, and each key of a step is one
 * conditional put, so that a batch published twice, or after a later one, changes nothing.
 */
export function dynamoDbSink({ table, key }: DynamoDbSinkOptions): Sink {
  return {
    kind: "dynamodb",
    stage: (batch) => {
      const items = lastPerKey(
        batch.rows.map((row) => itemOf(row, batch.schema, key)),
        key,
      );
      return piecesOf(items, ITEMS_PER_STEP).map((piece, at) => ({
        output: batch.output,
        sink: "dynamodb",
        ...staging({ firstRow: (batch.firstRow ?? 0) + at * ITEMS_PER_STEP }, false),
        bytes: encodeItems(piece),
      }));
    },
    publish: async (identity, parts) => {
      for (const part of stagedFor("dynamodb", parts))
        await putItems(table, lastPerKey(decodeItems(part), key), { ...identity, step: part.firstRow ?? 0 });
    },
  };
}

function lastPerKey(items: readonly Item[], key: readonly string[]): readonly Item[] {
  const last = new Map<string, Item>();
  for (const item of items) last.set(JSON.stringify(key.map((name) => item[name])), item);
  return [...last.values()];
}

async function putItems(table: VersionedTable, items: readonly Item[], version: ItemVersion): Promise<void> {
  try {
    await inParallel(items, CONCURRENCY, (item) => table.putIfNewer(item, version));
  } catch (cause) {
    throw externalError(
      "sink-unavailable",
      `Writing ${items.length} items of batch ${version.batchId} failed.`,
      "It is tried again from the checkpoint; if it stays, check the table, its key and the permission dynamodb:PutItem.",
      cause,
    );
  }
}

const encodeItems = (items: readonly Item[]): Uint8Array => gzip(Buffer.from(JSON.stringify(items), "utf8"));

const decodeItems = (part: OutboxPart): readonly Item[] =>
  JSON.parse(Buffer.from(gunzip(part.bytes)).toString("utf8")) as readonly Item[];
