import { pack, unpack } from "../checkpoint/packing.js";
import { readValues, writeValues } from "../checkpoint/value-columns.js";
import { internalError } from "../errors.js";
import type { Row, Schema } from "../plan/schema.js";
import { type ByteReader, byteReader } from "../state/byte-reader.js";
import { type ByteWriter, byteWriter } from "../state/byte-writer.js";
import { readValue, writeValue } from "../state/row-codec.js";
import { readText, writeText } from "../state/text-codec.js";
import type { EntryBody, EntryHead, InputRows, Marker, RowOrigin, TickRecord } from "./shuffle-record.js";

/** Of the body. Readers of every version ever written stay: records live for days. */
const VERSION = 1;

/** The head as JSON, in clear, then the body, packed: who skips a record reads its head alone. */
export function encodeRecord(head: EntryHead | TickRecord, body: Uint8Array | null): Uint8Array {
  const out = byteWriter(1024);
  out.block(new TextEncoder().encode(JSON.stringify(head)));
  if (body !== null) out.bytes(body);
  return out.finish();
}

/** @throws `shuffle-record` for bytes that no query of this kind has put there */
export function decodeHead(record: Uint8Array): {
  readonly head: EntryHead | TickRecord;
  readonly body: Uint8Array;
} {
  try {
    const input = byteReader(record);
    const head = JSON.parse(new TextDecoder().decode(input.block())) as EntryHead | TickRecord;
    if (head.format === 1) return { head, body: input.bytes(input.remaining) };
  } catch {
    // Said below.
  }
  throw internalError(
    "shuffle-record",
    "A record of the shuffle stream has a format that this code does not read.",
    "Let nothing else write to the query's shuffle stream; after a rollback, deploy the newer code again.",
  );
}

/** Columns in the order of the schema, values as the row codec writes them. */
export function encodeBody({ stream, inputs, marker }: EntryBody, schemaOf: (input: string) => Schema): Uint8Array {
  const out = byteWriter(4096);
  writeText(out, stream);
  out.varint(inputs.length);
  for (const input of inputs) writeInput(out, input, schemaOf(input.input));
  writeValue(out, marker);
  return pack(VERSION, out.finish());
}

export function decodeBody(packed: Uint8Array, schemaOf: (input: string) => Schema): EntryBody {
  const input = byteReader(unpack(packed, VERSION).bytes);
  const stream = readText(input);
  const inputs: InputRows[] = [];
  for (let count = input.varint(); count > 0; count--) inputs.push(readInput(input, schemaOf));
  return { stream, inputs, marker: readValue(input) as Marker | null };
}

function writeInput(out: ByteWriter, { input, rows, origins }: InputRows, schema: Schema): void {
  const names = columnsOf(schema, rows);
  writeText(out, input);
  out.varint(rows.length);
  out.varint(names.length);
  for (const name of names) {
    writeText(out, name);
    writeValues(
      out,
      rows.map((row) => row[name] ?? null),
    );
  }
  for (const part of ["sequence", "sub", "arrival"] as const)
    writeValues(
      out,
      origins.map((origin) => origin[part]),
    );
}

/** An open schema's rows may have more columns than it names. */
function columnsOf({ fields, open }: Schema, rows: readonly Row[]): readonly string[] {
  const names = fields.map(({ name }) => name);
  return open ? [...new Set([...names, ...rows.flatMap((row) => Object.keys(row))])] : names;
}

/** A column that the writer's layout lacks is NULL, one that the reader's lacks is dropped (S20). */
function readInput(input: ByteReader, schemaOf: (input: string) => Schema): InputRows {
  const name = readText(input);
  const count = input.varint();
  const columns = new Map<string, readonly unknown[]>();
  for (let left = input.varint(); left > 0; left--) columns.set(readText(input), readValues(input, count));
  const [sequences, subs, arrivals] = [readValues(input, count), readValues(input, count), readValues(input, count)];
  const { fields, open } = schemaOf(name);
  const names = open ? [...columns.keys()] : fields.map((field) => field.name);
  const rows = Array.from({ length: count }, (_, at) => {
    const row: Row = {};
    for (const column of names) row[column] = columns.get(column)?.[at] ?? null;
    return row;
  });
  const origins = rows.map(
    (_, at): RowOrigin => ({
      sequence: sequences[at] as string,
      sub: subs[at] as number,
      arrival: arrivals[at] as number | null,
    }),
  );
  return { input: name, rows, origins };
}
