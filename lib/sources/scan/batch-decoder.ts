import { Buffer } from "node:buffer";
import { cursorOf } from "../../columns/cursor.js";
import type { Row, Schema } from "../../plan/schema.js";
import { base64Length } from "../base64.js";
import { DEFAULT_LIMITS, type DecodeLimits } from "../decode-limits.js";
import { roomFor } from "../joined-parse.js";
import { isPlain } from "../payload-text.js";
import { decodeRows, rowsAsColumns } from "../rows-as-columns.js";
import type { BatchDecoder, MalformedRow, Payload, RowDecoder } from "../source.js";
import { JsonScanner } from "./json-scanner.js";
import { jsonBytes, SLACK_BYTES } from "./json-skip.js";
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
  if (!isScannable(schema)) return rowsAsColumns(decode);
  const rowsOnly = rowsAsColumns(decode);
  const scanner = new JsonScanner(schema, wanted, limits.maxDepth);
  const names = schema.fields.map(({ name }) => name);
  const cursors = cursorOf(names);
  let text = jsonBytes(Buffer.allocUnsafeSlow(0));
  let batchesByRows = 0;

  /** Each payload in its place behind the one before, with a control character between: from 0 to before the first end, and so on. */
  function gather(payloads: readonly Payload[]): { readonly ends: Int32Array; readonly isWhole: Uint8Array } {
    let room = 0;
    for (let i = 0; i < payloads.length; i++) room += payloads[i]!.place === undefined ? roomFor(payloads[i]!) + 1 : 1;
    if (room + SLACK_BYTES > text.bytes.length) text = jsonBytes(Buffer.allocUnsafeSlow(room * 2 + SLACK_BYTES));
    const { bytes } = text;
    const ends = new Int32Array(payloads.length);
    const isWhole = new Uint8Array(payloads.length);
    let at = 0;
    for (let i = 0; i < payloads.length; i++) {
      const payload = payloads[i]!;
      const { base64 } = payload;
      if (payload.place !== undefined) {
        isWhole[i] = payload.place.end - payload.place.start <= limits.maxBytes ? 1 : 0;
      } else if (payload.malformed === undefined && isPlain(payload, limits.maxBytes)) {
        if (base64 === undefined) {
          bytes.set(payload.data, at);
          at += payload.data.length;
          isWhole[i] = 1;
        } else {
          const written = bytes.write(base64, at, "base64");
          isWhole[i] = written === base64Length(base64) ? 1 : 0;
          at += written;
        }
      }
      ends[i] = at;
      bytes[at++] = 0;
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
      const { place } = payloads[i]!;
      const isTaken =
        isWhole[i] === 1 &&
        declines?.() !== true &&
        (place === undefined ? scanner.scan(text, start, end, i) : scanner.scan(place.text, place.start, place.end, i));
      if (!isTaken) declined.push(i);
      start = end + 1;
    }
    const rows: (Row | undefined)[] = new Array(payloads.length).fill(undefined);
    const malformed = new Map<number, MalformedRow>();
    if (declined.length > 0) {
      const { rows: found, malformed: faults } = decodeRows(
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
    return { table: new ScannedTable(scanner.finish(), names, payloads, decode, rows, cursors), malformed, lost };
  };
}
