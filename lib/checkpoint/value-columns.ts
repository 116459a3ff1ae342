import { internalError } from "../errors.js";
import type { ByteReader } from "../state/byte-reader.js";
import type { ByteWriter } from "../state/byte-writer.js";
import { readValue, writeValue } from "../state/row-codec.js";

/** Stored format: never renumber. */
const SHAPE = { values: 0, tuples: 1 } as const;
const COLUMN = { values: 0, integers: 1, doubles: 2 } as const;

/** Values one after another; arrays of one length, as accumulators are, column by column. */
export function writeValues(out: ByteWriter, values: readonly unknown[]): void {
  const width = tupleWidth(values);
  if (width === null) {
    out.byte(SHAPE.values);
    writeColumn(out, values);
    return;
  }
  out.byte(SHAPE.tuples);
  out.varint(width);
  for (let i = 0; i < width; i++) {
    writeColumn(
      out,
      (values as readonly (readonly unknown[])[]).map((tuple) => tuple[i]),
    );
  }
}

export function readValues(input: ByteReader, count: number): unknown[] {
  if (input.byte() === SHAPE.values) return readColumn(input, count);
  const width = input.varint();
  if (width > input.remaining) throw internalError("corrupt-bytes", "A stored tuple is wider than its bytes.");
  const columns = Array.from({ length: width }, () => readColumn(input, count));
  return Array.from({ length: count }, (_, row) => columns.map((column) => column[row]));
}

function tupleWidth(values: readonly unknown[]): number | null {
  const first = values[0];
  if (!Array.isArray(first)) return null;
  return values.every((value) => Array.isArray(value) && value.length === first.length) ? first.length : null;
}

const isInteger = (value: unknown): boolean => Number.isSafeInteger(value) && !Object.is(value, -0);
const isNumber = (value: unknown): boolean => typeof value === "number";

function writeColumn(out: ByteWriter, values: readonly unknown[]): void {
  if (values.every(isInteger)) {
    out.byte(COLUMN.integers);
    for (const value of values as number[]) out.signed(value);
  } else if (values.every(isNumber)) {
    out.byte(COLUMN.doubles);
    for (const value of values as number[]) out.double(value);
  } else {
    out.byte(COLUMN.values);
    for (const value of values) writeValue(out, value);
  }
}

function readColumn(input: ByteReader, count: number): unknown[] {
  const kind = input.byte();
  const values: unknown[] = [];
  if (kind === COLUMN.integers) for (let i = 0; i < count; i++) values.push(input.signed());
  else if (kind === COLUMN.doubles) for (let i = 0; i < count; i++) values.push(input.double());
  else if (kind === COLUMN.values) for (let i = 0; i < count; i++) values.push(readValue(input));
  else throw internalError("corrupt-bytes", `Stored bytes are damaged: unknown column ${kind}.`);
  return values;
}
