import { createHash } from "node:crypto";
import { decodeRow, encodeRow } from "../state/row-codec.js";
import { pack, unpack } from "./packing.js";
import type { StateSchema } from "./state-schema.js";

/** One per query (DATA.md section 7). */
export interface Meta {
  /** Fixed-width creation time in ms; part of every other key and of every output identity. */
  readonly incarnation: string;
  readonly statePartitions: number;
  readonly fingerprint: string;
  readonly stateSchema: StateSchema;
  /** The newest code that has announced itself (protocol.md rule 13). */
  readonly generation: number;
}

const VERSION = 1;

export const encodeMeta = (meta: Meta): Uint8Array => pack(VERSION, encodeRow(meta));

export const decodeMeta = (packed: Uint8Array): Meta => decodeRow(unpack(packed, VERSION).bytes) as Meta;

/** Equal schemas, equal fingerprints, whatever the order of their fields. */
export const fingerprintOf = (schema: StateSchema): string =>
  createHash("sha256").update(encodeRow(schema)).digest("hex").slice(0, 32);
