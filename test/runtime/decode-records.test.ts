import { describe, expect, it } from "vitest";
import { type DecodedRecords, decodeRecords } from "../../lib/runtime/decode-records.js";
import { heartbeatPayload } from "../../lib/sources/heartbeat.js";
import { decodeRows } from "../../lib/sources/rows-as-columns.js";
import type { Payload, RowDecoder } from "../../lib/sources/source.js";

const payload = (text: string): Payload => ({ data: new TextEncoder().encode(text) });
const beat: Payload = { data: heartbeatPayload("1970-01-01T00:00:05Z") };

/** A digit is a row, anything else is malformed. */
const digits: RowDecoder = (data) => {
  const text = new TextDecoder().decode(data);
  return /^\d$/.test(text) ? { row: { n: Number(text) } } : { malformed: "no-digit", detail: text };
};

/** By record, the row that it yields. */
const rowsOf = ({ table, rows, records }: DecodedRecords) => Array.from(rows, (row) => [records[row], table.row(row)]);

describe("the records of a delivery, decoded", () => {
  it("keep their places: rows, malformed records and heartbeats by index", () => {
    const decoded = decodeRecords(digits, [payload("1"), beat, payload("x"), payload("2")]);
    expect(rowsOf(decoded)).toEqual([
      [0, { n: 1 }],
      [3, { n: 2 }],
    ]);
    expect([...decoded.malformed.keys()]).toEqual([2]);
    expect([...decoded.heartbeats]).toEqual([[1, 5_000]]);
  });

  it("come out the same from a decoder that takes them together", () => {
    const decode = Object.assign((data: Uint8Array) => digits(data), {
      batch: (payloads: readonly Payload[]) => decodeRows(digits, payloads),
    });
    const records = [beat, payload("1"), payload("x"), beat, payload("2")];
    const [together, alone] = [decode, digits].map((decoder) => decodeRecords(decoder, records));
    expect(rowsOf(together!)).toEqual(rowsOf(alone!));
    expect(together!.malformed).toEqual(alone!.malformed);
  });

  it("are refused of a decoder that answers for fewer than it was given", () => {
    const loses = Object.assign(digits.bind(null), { batch: () => ({ rows: [], malformed: new Map() }) });
    expect(() => decodeRecords(loses, [payload("1")])).toThrow("decoder-lost-records");
  });

  it("yield no row where the decoder has no answer", () => {
    const silent = (() => ({})) as unknown as RowDecoder;
    expect(rowsOf(decodeRecords(silent, [payload("1")]))).toEqual([]);
  });
});
