import { internalError } from "../errors.js";
import { type ByteReader, byteReader } from "../state/byte-reader.js";
import { type ByteWriter, byteWriter } from "../state/byte-writer.js";
import { isCanonical } from "../state/row-codec.js";
import { type Change, type Expiry, REMOVE, type StateDelta, type TableDelta } from "../state/state-delta.js";
import { readText, writeText } from "../state/text-codec.js";
import { pack, unpack } from "./packing.js";
import { readKeys, writeKeys } from "./sorted-keys.js";
import { readValues, writeValues } from "./value-columns.js";

/**
 * State changes as columns: per table the keys once, sorted and front-coded, then per expiry the removes, updates and inserts as
 * indexes into them, then all values by column. Entries, runs and segments share it. Inserts keep their order, which is
 * the order of the bucket; removes and updates have none.
 */
const VERSION = 1;

export function encodeDelta(delta: StateDelta): Uint8Array {
  const out = byteWriter(4096);
  out.varint(delta.size);
  for (const [id, table] of delta) {
    writeText(out, id);
    out.double(table.expiredThrough);
    writeTable(out, table);
  }
  return pack(VERSION, out.finish());
}

export function decodeDelta(packed: Uint8Array): Map<string, TableDelta> {
  const input = byteReader(unpack(packed, VERSION).bytes);
  const delta = new Map<string, TableDelta>();
  for (let count = input.varint(); count > 0; count--) {
    const id = readText(input);
    const expiredThrough = input.double();
    delta.set(id, { expiredThrough, changes: readTable(input) });
  }
  if (!input.done) throw internalError("corrupt-bytes", "A stored state change is damaged: something follows it.");
  return delta;
}

/**
 * The change as a reader of `encoded` sees it. An environment that commits must keep just that, or its rows would list
 * their keys in another order than those of one that loaded them.
 */
export function asStored(delta: StateDelta, encoded: Uint8Array): StateDelta {
  for (const table of delta.values()) {
    for (const bucket of table.changes.values()) {
      for (const change of bucket.values()) {
        if (change.kind === "put" && !isCanonical(change.value)) return decodeDelta(encoded);
      }
    }
  }
  return delta;
}

type Put = Extract<Change, { kind: "put" }>;

function writeTable(out: ByteWriter, table: TableDelta): void {
  const keys = [...new Set([...table.changes.values()].flatMap((bucket) => [...bucket.keys()]))].sort();
  const indexOf = new Map(keys.map((key, index) => [key, index]));
  writeKeys(out, keys);
  const puts: Put[] = [];
  out.varint(table.changes.size);
  for (const [expiry, bucket] of table.changes) {
    const removes: number[] = [];
    const updates: [number, Put][] = [];
    const inserts: [number, Put][] = [];
    for (const [key, change] of bucket) {
      const index = indexOf.get(key)!;
      if (change.kind === "remove") removes.push(index);
      else (change.fresh ? inserts : updates).push([index, change]);
    }
    updates.sort((a, b) => a[0] - b[0]);
    writeExpiry(out, expiry);
    writeIndexes(
      out,
      removes.sort((a, b) => a - b),
    );
    for (const part of [updates, inserts]) {
      writeIndexes(
        out,
        part.map(([index]) => index),
      );
      for (const [, put] of part) puts.push(put);
    }
  }
  writeOrders(out, puts);
  writeValues(
    out,
    puts.map((put) => put.value),
  );
}

function readTable(input: ByteReader): TableDelta["changes"] {
  const keys = readKeys(input);
  const places: { readonly bucket: Map<string, Change>; readonly key: string; readonly fresh: boolean }[] = [];
  const changes: TableDelta["changes"] = new Map();
  const keyAt = (index: number): string => {
    const key = keys[index];
    if (key === undefined) throw internalError("corrupt-bytes", "A stored state change is damaged: it lacks a key.");
    return key;
  };
  for (let count = input.varint(); count > 0; count--) {
    const bucket = new Map<string, Change>();
    changes.set(readExpiry(input), bucket);
    for (const index of readIndexes(input)) bucket.set(keyAt(index), REMOVE);
    for (const fresh of [false, true]) {
      for (const index of readIndexes(input)) places.push({ bucket, key: keyAt(index), fresh });
    }
  }
  const orders = readOrders(input, places.length);
  const values = readValues(input, places.length);
  places.forEach(({ bucket, key, fresh }, i) => {
    bucket.set(key, { kind: "put", value: values[i], fresh, order: orders?.[i] ?? 0 });
  });
  return changes;
}

/** Stored format: never renumber. Whole microseconds beyond 2^53, of times before 1684 and after 2255, are doubles. */
const EXPIRY = { never: 0, integer: 1, double: 2 } as const;

function writeExpiry(out: ByteWriter, expiry: Expiry): void {
  if (expiry === null) out.byte(EXPIRY.never);
  else if (Number.isSafeInteger(expiry)) {
    out.byte(EXPIRY.integer);
    out.signed(expiry);
  } else {
    out.byte(EXPIRY.double);
    out.double(expiry);
  }
}

function readExpiry(input: ByteReader): Expiry {
  const kind = input.byte();
  if (kind === EXPIRY.never) return null;
  return kind === EXPIRY.integer ? input.signed() : input.double();
}

function writeIndexes(out: ByteWriter, indexes: readonly number[]): void {
  out.varint(indexes.length);
  let before = -1;
  for (const index of indexes) {
    out.signed(index - before - 1);
    before = index;
  }
}

function readIndexes(input: ByteReader): number[] {
  const count = input.varint();
  const indexes: number[] = [];
  let before = -1;
  for (let i = 0; i < count; i++) {
    before += input.signed() + 1;
    indexes.push(before);
  }
  return indexes;
}

/** Only tables located by key have an order. */
function writeOrders(out: ByteWriter, puts: readonly Put[]): void {
  const ordered = puts.some((put) => put.order !== 0);
  out.byte(ordered ? 1 : 0);
  if (!ordered) return;
  let before = 0;
  for (const { order } of puts) {
    out.signed(order - before);
    before = order;
  }
}

function readOrders(input: ByteReader, count: number): number[] | null {
  if (input.byte() === 0) return null;
  let before = 0;
  return Array.from({ length: count }, () => {
    before += input.signed();
    return before;
  });
}
