import { Buffer } from "node:buffer";
import type { DataFile } from "./data-file.js";

/** What a micro-batch does to the table, decided before the commit. */
export interface StagedCommit {
  /** `append`: rows are added. `overwrite`: they take the place of all. `merge`: of those with the same key. */
  readonly mode: "append" | "overwrite" | "merge";
  readonly schemaString: string;
  readonly partitionBy: readonly string[];
  readonly key: readonly string[];
  readonly mergeSchema: boolean;
  /** Epoch ms; dates the commit and its files. */
  readonly arrival: number;
  readonly files: readonly DataFile[];
}

const LENGTH_BYTES = 4;

/** One part holds the whole of a batch: a table's log knows a batch only as done or not done. */
export function encodeCommit({ files, ...commit }: StagedCommit): Uint8Array {
  const header = Buffer.from(
    JSON.stringify({ ...commit, files: files.map(({ bytes, ...file }) => ({ ...file, length: bytes.length })) }),
    "utf8",
  );
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(header.length);
  return new Uint8Array(Buffer.concat([length, header, ...files.map(({ bytes }) => bytes)]));
}

export function decodeCommit(staged: Uint8Array): StagedCommit {
  const bytes = Buffer.from(staged.buffer, staged.byteOffset, staged.byteLength);
  let at = LENGTH_BYTES + bytes.readUInt32BE(0);
  const header = JSON.parse(bytes.subarray(LENGTH_BYTES, at).toString("utf8")) as Omit<StagedCommit, "files"> & {
    readonly files: readonly (Omit<DataFile, "bytes"> & { readonly length: number })[];
  };
  const files = header.files.map(({ length, ...file }) => {
    at += length;
    return { ...file, bytes: new Uint8Array(bytes.subarray(at - length, at)) };
  });
  return { ...header, files };
}
