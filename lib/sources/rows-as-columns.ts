import { rowTable } from "../columns/row-table.js";
import { internalError } from "../errors.js";
import type { Row } from "../plan/schema.js";
import type { BatchDecoder, DecodedRows, MalformedRow, Payload, RowDecoder } from "./source.js";

/** Every payload by the row decoder: foreign schemas, and columns that the scanner does not know. */
export const rowsAsColumns =
  (decode: RowDecoder): BatchDecoder =>
  (payloads) => {
    const { rows, malformed } = decodeRows(decode, payloads);
    const lost = rows.flatMap((row, at) => (row === null && !malformed.has(at) ? [at] : []));
    // Where there is no row, nobody asks.
    return { table: rowTable(rows as readonly Row[]), malformed, lost };
  };

/** Together where the decoder can. */
export function decodeRows(decode: RowDecoder, payloads: readonly Payload[]): DecodedRows {
  const decoded = decode.batch?.(payloads) ?? oneByOne(decode, payloads);
  if (decoded.rows.length === payloads.length) return decoded;
  throw internalError(
    "decoder-lost-records",
    `${payloads.length} payloads were decoded to ${decoded.rows.length} answers.`,
  );
}

function oneByOne(decode: RowDecoder, payloads: readonly Payload[]): DecodedRows {
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
