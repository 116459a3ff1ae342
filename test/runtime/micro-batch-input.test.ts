import { describe, expect, it } from "vitest";
import { consumedDeliveries } from "../../lib/runtime/consumed-deliveries.js";
import type { DecodedRecords } from "../../lib/runtime/decode-records.js";
import { decodeDeliveries, inputRecord, malformedRecord } from "../../lib/runtime/micro-batch-input.js";
import { heartbeatPayload } from "../../lib/sources/heartbeat.js";
import { decodeRows } from "../../lib/sources/rows-as-columns.js";
import type { Payload, RowDecoder } from "../../lib/sources/source.js";
import { delivery, jsonDecoder, type RecordSpec } from "./support/harness.js";

const sources = [{ name: "input", schema: { fields: [] } }];
const heartbeat = new TextDecoder().decode(heartbeatPayload("1970-01-01T00:00:05Z"));
const decode = (decoder: RowDecoder, ...specs: RecordSpec[]) =>
  decodeDeliveries(sources, new Map([["input", decoder]]), [delivery("a", 1, specs)]);

describe("decoding a delivery", () => {
  it("keeps each record's place when payloads are decoded together and heartbeats are not", () => {
    const together: RowDecoder = Object.assign(() => ({ malformed: "alone", detail: "" }), {
      batch: (payloads: readonly Payload[]) => decodeRows(jsonDecoder, payloads),
    });
    const { isDecoded, malformed, heartbeats, ranges } = decode(
      together,
      { t: 1 },
      { text: heartbeat },
      { text: "{" },
      { t: 4 },
    );
    expect([...isDecoded]).toEqual([1, 0, 0, 1]);
    const [{ table, rows, records }] = ranges[0]!.chunks as [DecodedRecords];
    expect(Array.from(rows, (row) => [records[row], table.row(row)])).toEqual([
      [0, { t: 1 }],
      [3, { t: 4 }],
    ]);
    expect([...heartbeats]).toEqual([[1, 5_000]]);
    expect([...malformed]).toEqual([[2, { malformed: "not-json", detail: "the payload is not JSON" }]]);
  });

  it("notices a decoder that answers for fewer records than it was given", () => {
    const lossy: RowDecoder = Object.assign(jsonDecoder.bind(null), {
      batch: () => ({ rows: [{ t: 1 }], malformed: new Map() }),
    });
    expect(() => decode(lossy, { t: 1 }, { t: 2 })).toThrow("decoder-lost-records");
  });

  it("keeps the payload of a record that is no row", () => {
    const input = decode(jsonDecoder, { text: "{", arrival: 7 });
    expect(malformedRecord(inputRecord(input, 0)!, "not-json", "why")).toEqual({
      source: "input",
      stream: "stream",
      shard: "a",
      sequence: "1",
      sub: 0,
      arrival: 7,
      reason: "not-json",
      detail: "why",
      payload: { base64: Buffer.from("{").toString("base64") },
    });
  });
});

describe("what a prefix of the records says of its shards", () => {
  const input = decodeDeliveries(sources, new Map([["input", jsonDecoder]]), [
    delivery("a", 1, [
      { t: 1, arrival: 10 },
      { text: heartbeat, arrival: 20 },
      { t: 3, arrival: 30 },
    ]),
    delivery("b", 5, [{ t: 1, arrival: 15 }]),
  ]);
  const upTo = (limit: number, consumed = new Uint8Array(4)) => {
    const { reads, offsets, heartbeats } = consumedDeliveries({ input, consumed, rejected: new Map(), limit }, limit);
    return {
      reads: reads.map(({ delivery: { shard }, readTo }) => [shard, readTo]),
      offsets: offsets.map(({ shard, first, last }) => [shard, first.sequence, last.sequence]),
      heartbeats: heartbeats.map(({ eventTime, arrival }) => [eventTime, arrival]),
    };
  };

  it("is how far each was read, and what of it the commit consumes", () => {
    expect(upTo(4)).toEqual({
      reads: [
        ["a", 30],
        ["b", 15],
      ],
      offsets: [
        ["input/a", "1", "3"],
        ["input/b", "5", "5"],
      ],
      heartbeats: [[5_000, 20]],
    });
  });

  it("ends at the cut", () => {
    expect(upTo(1)).toEqual({ reads: [["a", 10]], offsets: [["input/a", "1", "1"]], heartbeats: [] });
    expect(upTo(0)).toEqual({ reads: [], offsets: [], heartbeats: [] });
  });

  it("records from the first delivered, skipped or not, and nothing where all is skipped", () => {
    expect(upTo(4, Uint8Array.of(1, 1, 0, 1)).offsets).toEqual([["input/a", "1", "3"]]);
    expect(upTo(4, Uint8Array.of(1, 1, 0, 1)).heartbeats).toEqual([]);
  });
});
