import { createHash } from "node:crypto";
import type { Fingerprint } from "../plan/fingerprint.js";
import type { LateRule, WatermarkPolicy } from "../plan/logical-plan.js";
import { decodeRow, encodeRow } from "../state/row-codec.js";
import { pack, unpack } from "./packing.js";

/** One per query (DATA.md section 7). */
export interface Meta {
  /** Fixed-width creation time in ms; part of every other key and of every output identity. */
  readonly incarnation: string;
  readonly statePartitions: number;
  /** Of `stateSchema`: equal ones are told at a glance. */
  readonly fingerprint: string;
  /** What the stored rows look like, output mode included. */
  readonly stateSchema: Fingerprint;
  readonly watermarkPolicy: WatermarkPolicy;
  readonly lateRule: LateRule;
  /** Where results go (`Sink.target`); version 1 did not know it. */
  readonly sink?: string;
  /** The newest code that has announced itself (protocol.md rule 13). */
  readonly generation: number;
}

/** 2: `sink`, and a state schema that knows the sources and what feeds each operator. Fields that this code does not know survive it. */
const VERSION = 2;

export const encodeMeta = (meta: Meta): Uint8Array => pack(VERSION, encodeRow(meta));

export const decodeMeta = (packed: Uint8Array): Meta => decodeRow(unpack(packed, VERSION).bytes) as Meta;

/** Equal schemas, equal fingerprints, whatever the order of their fields. */
export const digestOf = (schema: Fingerprint): string =>
  createHash("sha256").update(encodeRow(schema)).digest("hex").slice(0, 32);
