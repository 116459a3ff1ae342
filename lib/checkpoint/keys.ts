import type { PartitionKey } from "./checkpoint-log.js";

/** Every key string of the checkpoint, in items and in objects. The incarnation stands in all of them (protocol.md rule 1). */
export const metaKey = (query: string): ItemKey => ({ pk: query, sk: "meta" });

export const pointerKey = (query: string, at: PartitionKey): ItemKey => ({
  pk: partitionPk(query, at),
  sk: "snapshot",
});

export const slotKey = (query: string, at: PartitionKey, slot: number): ItemKey => ({
  pk: partitionPk(query, at),
  sk: `slot#${slot}`,
});

export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

const partitionPk = (query: string, at: PartitionKey): string => `${query}#${at.incarnation}#${at.partition}`;

export type ObjectKind = "delta" | "outbox" | "segment" | "run" | "manifest";

/** All objects of one incarnation's checkpoint: a folder per partition or ring. */
export const incarnationPrefix = (query: string, incarnation: string): string => `checkpoints/${query}/${incarnation}/`;

/** What the sweeper lists. */
export const objectPrefix = (query: string, at: PartitionKey): string =>
  `${incarnationPrefix(query, at.incarnation)}${at.partition}/`;

/** `id` is random per upload, never derived from a version. */
export const objectKey = (query: string, at: PartitionKey, kind: ObjectKind, id: string): string =>
  `${objectPrefix(query, at)}${kind}-${id}`;

const INCARNATION_DIGITS = 15;

/** Creation time in ms, of fixed width, so that incarnations compare as strings. */
export const incarnationOf = (createdAt: number): string => String(createdAt).padStart(INCARNATION_DIGITS, "0");
