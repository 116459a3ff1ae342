import { Buffer } from "node:buffer";
import { rowBatch, type Table } from "../../columns/column-batch.js";
import type { Row, Schema } from "../../plan/schema.js";
import { base64Length } from "../base64.js";
import { DEFAULT_LIMITS, type DecodeLimits } from "../decode-limits.js";
import { roomFor } from "../joined-parse.js";
import { isPlain } from "../payload-text.js";
import type { BatchDecoder, DecodedBatch, DecodedRows, MalformedRow, Payload, RowDecoder } from "../source.js";
import { JsonScanner } from "./json-scanner.js";
import { isScannable } from "./scannable.js";
import { ScannedTable } from "./scanned-table.js";

interface BatchDecoderOptions {
  /** The columns that are read as vectors; null: all. */
  readonly wanted?: ReadonlySet<string> | null;
  readonly limits?: DecodeLimits;
  /** Says of any payload that it goes by the row decoder: answers must not depend on it. */
  readonly declines?: () => boolean;
}

/** Where this share of a batch is declined, so many batches go by rows at once. */
const HOPELESS = 0.9;
const BATCHES_BY_ROWS = 15;

/**
 * Payloads into columns: by the scanner, and those that it declines by the row decoder, together. The answers are the row
 * decoder's; `wanted` and what is declined are about speed alone.
 */
export function compileBatchDecoder(
  schema: Schema,
  decode: RowDecoder,
  { wanted = null, limits = DEFAULT_LIMITS, declines }: BatchDecoderOptions = {},
): BatchDecoder {
  if (!isScannable(schema)) return byRows(decode);
  const rowsOnly = byRows(decode);
  const scanner = new JsonScanner(schema, wanted, limits.maxDepth);
  const names = schema.fields.map(({ name }) => name);
  let scratch = Buffer.allocUnsafeSlow(0);
  let batchesByRows = 0;

  /** Each payload in its place behind the one before, with a control character between: from 0 to before the first end, and so on. */
  function gather(payloads: readonly Payload[]): { readonly ends: Int32Array; readonly isWhole: Uint8Array } {
    let room = 0;
    for (let i = 0; i < payloads.length; i++) room += roomFor(payloads[i]!) + 1;
    if (room > scratch.length) scratch = Buffer.allocUnsafeSlow(room * 2);
    const ends = new Int32Array(payloads.length);
    const isWhole = new Uint8Array(payloads.length);
    let at = 0;
    for (let i = 0; i < payloads.length; i++) {
      const payload = payloads[i]!;
      const { base64 } = payload;
      if (payload.malformed === undefined && isPlain(payload, limits.maxBytes)) {
        if (base64 === undefined) {
          scratch.set(payload.data, at);
          at += payload.data.length;
          isWhole[i] = 1;
        } else {
          const written = scratch.write(base64, at, "base64");
          isWhole[i] = written === base64Length(base64) ? 1 : 0;
          at += written;
        }
      }
      ends[i] = at;
      scratch[at++] = 0;
    }
    return { ends, isWhole };
  }

  return (payloads) => {
    if (batchesByRows > 0) {
      batchesByRows--;
      return rowsOnly(payloads);
    }
    const { ends, isWhole } = gather(payloads);
    const declined: number[] = [];
    scanner.begin(payloads.length);
    let start = 0;
    for (let i = 0; i < payloads.length; i++) {
      const end = ends[i]!;
      const scanned = isWhole[i] === 1 && declines?.() !== true && scanner.scan(scratch, start, end, i);
      if (!scanned) declined.push(i);
      start = end + 1;
    }
    const rows: (Row | undefined)[] = new Array(payloads.length).fill(undefined);
    const malformed = new Map<number, MalformedRow>();
    if (declined.length > 0) {
      const { rows: found, malformed: faults } = rowsOf(
        decode,
        declined.map((at) => payloads[at]!),
      );
      declined.forEach((at, i) => {
        const fault = faults.get(i);
        if (fault !== undefined) malformed.set(at, fault);
        const row = found[i];
        if (row == null) return;
        rows[at] = row;
        scanner.put(at, row);
      });
      if (declined.length > payloads.length * HOPELESS && declines === undefined) batchesByRows = BATCHES_BY_ROWS;
    }
    const lost = declined.filter((at) => rows[at] === undefined && !malformed.has(at));
    return { table: new ScannedTable(scanner.finish(), names, payloads, decode, rows), malformed, lost };
  };
}

/** Every payload by the row decoder: foreign schemas, and columns that the scanner does not know. */
function byRows(decode: RowDecoder): BatchDecoder {
  return (payloads): DecodedBatch => {
    const { rows, malformed } = rowsOf(decode, payloads);
    const lost = rows.flatMap((row, at) => (row === null && !malformed.has(at) ? [at] : []));
    return { table: tableOf(rows as readonly Row[]), malformed, lost };
  };
}

/** Where there is no row, nobody asks. */
const tableOf = (rows: readonly Row[]): Table => rowBatch(rows).table;

function rowsOf(decode: RowDecoder, payloads: readonly Payload[]): DecodedRows {
  if (decode.batch !== undefined) return decode.batch(payloads);
  const malformed = new Map<number, MalformedRow>();
  const rows = payloads.map(({ data }, at) => {
    const decoded = decode(data);
    if ("row" in decoded) return decoded.row;
    // An answer that is neither counts as nothing, so that the books find the record missing.
    if ("malformed" in decoded) malformed.set(at, decoded);
    return null;
  });
  return { rows, malformed };
}
