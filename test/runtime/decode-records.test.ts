import { describe, expect, it } from "vitest";
import { decodeRecords } from "../../lib/runtime/decode-records.js";
import { heartbeatPayload } from "../../lib/sources/heartbeat.js";
import type { Payload, RowDecoder } from "../../lib/sources/source.js";

const payload = (text: string): Payload => ({ data: new TextEncoder().encode(text) });
const beat: Payload = { data: heartbeatPayload("1970-01-01T00:00:05Z") };

/** A digit is a row, anything else is malformed. */
const digits: RowDecoder = (data) => {
  const text = new TextDecoder().decode(data);
  return /^\d$/.test(text) ? { row: { n: Number(text) } } : { malformed: "no-digit", detail: text };
};

describe("the records of a delivery, decoded", () => {
  it("keep their places: rows, malformed records and heartbeats by index", () => {
    const { rows, malformed, heartbeats } = decodeRecords(digits, [payload("1"), beat, payload("x"), payload("2")]);
    expect(rows).toEqual([{ n: 1 }, null, null, { n: 2 }]);
    expect([...malformed.keys()]).toEqual([2]);
    expect([...heartbeats]).toEqual([[1, 5_000]]);
  });

  it("come out the same from a decoder that takes them together", () => {
    const batch: NonNullable<RowDecoder["batch"]> = (payloads) => {
      const { rows, malformed } = decodeRecords(digits, payloads);
      return { rows, malformed };
    };
    const records = [beat, payload("1"), payload("x"), beat, payload("2")];
    expect(decodeRecords(Object.assign(digits.bind(null), { batch }), records)).toEqual(decodeRecords(digits, records));
  });

  it("are refused of a decoder that answers for fewer than it was given", () => {
    const loses = Object.assign(digits.bind(null), { batch: () => ({ rows: [], malformed: new Map() }) });
    expect(() => decodeRecords(loses, [payload("1")])).toThrow("decoder-lost-records");
  });
});
