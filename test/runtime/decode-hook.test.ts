import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  columns,
  csv,
  type Decode,
  jsonArray,
  jsonLines,
  kafka,
  kinesis,
  long,
  memory,
  readStream,
  string,
  timestamp,
} from "../../lib/index.js";
import type { SourceNode } from "../../lib/plan/logical-plan.js";
import { decodeRecords } from "../../lib/runtime/decode-records.js";
import { sourceDecoder } from "../../lib/runtime/source-decoder.js";
import { kafkaDeliveries } from "../../lib/sources/kafka-event.js";
import type { SourceRecord } from "../../lib/sources/source.js";
import { codeOf } from "../plan/plans.js";

const View = columns({ at: timestamp(), page: string(), n: long() });

function decoderOf(stream: ReturnType<typeof readStream>) {
  const { definition } = stream.writeStream({ queryName: "q", outputMode: "append", sink: memory() });
  return sourceDecoder(definition.plan as SourceNode, definition);
}
const record = (data: string | Uint8Array, sequence = "7"): SourceRecord => ({
  sequence,
  sub: 0,
  data: Buffer.from(data),
  arrival: 1_700_000_000_000,
  partitionKey: "k",
});
const read = (decode: Decode | undefined, ...payloads: readonly (string | Uint8Array)[]) => {
  const source = kinesis({ stream: "views", schema: View, ...(decode === undefined ? {} : { decode }) });
  const records = payloads.map((data, at) => record(data, String(at)));
  const decoded = decodeRecords(decoderOf(readStream(source) as never), records, { stream: "views", shard: "s-1" });
  return {
    rows: [...decoded.rows].map((row) => decoded.table.row(row)),
    of: [...decoded.rows].map((row) => decoded.records[row]),
    answered: [...decoded.answered],
    malformed: [...decoded.malformed],
  };
};
const row = (n: number | bigint | null, page: string | null = "/", at: number | null = null) => ({ at, page, n });

describe("decode", () => {
  it("TRIALS-2 C7: makes several rows of a record, or none, which stays one record in the books", () => {
    const read3 = read(
      jsonLines(),
      '{"page":"/","n":1}\n\n{"page":"/","n":9007199254740993}\r\n',
      "",
      '{"page":"/","n":3}',
    );
    expect(read3).toEqual({
      rows: [row(1), row(9007199254740993n), row(3)],
      of: [0, 0, 2],
      answered: [0, 1, 2],
      malformed: [],
    });
  });

  it("TRIALS-2 C7: has ready ones for arrays and CSV, and takes a byte-order mark and gzip everywhere", () => {
    expect(read(jsonArray(), '[{"page":"/","n":1},{"page":"/","n":2}]', '{"page":"/","n":3}', "[]").rows).toEqual([
      row(1),
      row(2),
      row(3),
    ]);
    const cells = read(csv({ sep: ";", nullValue: "NA" }), "2024-1-1;/;+8\n;NA;\n", "\ufeff;/a;1");
    expect(cells.rows).toEqual([row(8, "/", Date.UTC(2024, 0, 1)), row(null, null), row(1, "/a")]);
    expect(read(csv({ header: true }), "N,page\n1,/\n").rows).toEqual([row(1)]);
    expect(read(jsonLines(), gzipSync('{"page":"/","n":1}\n')).rows).toEqual([row(1)]);
    expect(read(undefined, '\ufeff{"page":"/","n":1}').rows).toEqual([row(1)]);
  });

  it("gives one record one fate: one bad value makes it malformed, whole", () => {
    const { rows, answered, malformed } = read(jsonLines(), '{"n":1}\n{"n":"x"}\n{"n":3}', '{"page":"/","n":2}');
    expect(rows).toEqual([row(2)]);
    expect(answered).toEqual([1]);
    expect(malformed).toEqual([
      [0, { malformed: "schema-violation", detail: "value 2 of 3: column 'n': expected bigint, got string" }],
    ]);
    expect(read(jsonArray(), "[1,]").malformed).toHaveLength(1);
    expect(read(jsonArray(), "[").malformed).toEqual([
      [0, { malformed: "not-decoded", detail: "the payload is no JSON array" }],
    ]);
    expect(read(csv(), Uint8Array.of(0xff)).malformed).toEqual([
      [0, { malformed: "not-decoded", detail: "not UTF-8" }],
    ]);
  });

  it("takes values as they are, and none that may have been rounded; what it throws quotes nothing", () => {
    const given = Object.freeze({ at: new Date(5), page: "/", n: 2n ** 60n });
    expect(read(() => given, "x").rows).toEqual([row(2n ** 60n, "/", 5)]);
    expect(read(() => [null, undefined, Buffer.from('{"n":1,"page":"/"}')], "x").rows).toEqual([row(1)]);
    expect(read(() => ({ n: 2 ** 60 }), "x").malformed).toMatchObject([[0, { malformed: "schema-violation" }]]);
    const thrown = read(() => {
      throw new RangeError("secret");
    }, "x");
    expect(thrown.malformed).toEqual([[0, { malformed: "not-decoded", detail: "decode threw RangeError" }]]);
    expect(read((async () => ({})) as never, "x").malformed[0]![1].detail).toBe("decode answered with a Promise");
    expect(read(() => [[1]] as never, "x").malformed[0]![1].detail).toBe("decode gave an array");
  });

  it("feeds a Standard Schema too", () => {
    const schema = z.object({ n: z.number() });
    const decode: Decode = (bytes) => [{ n: bytes.length }, { n: "x" }].slice(0, bytes.length);
    const decoder = decoderOf(readStream(kinesis({ stream: "s", schema, decode })) as never);
    const { table, rows, malformed } = decodeRecords(decoder, [record("a"), record("bc")]);
    expect([...rows].map((at) => table.row(at))).toEqual([{ n: 1 }]);
    expect(malformed.get(1)).toEqual({ malformed: "schema-violation", detail: "value 2 of 2: n" });
  });
});

describe("metadata", () => {
  it("TRIALS-2 C7: stands in columns, beside what is decoded, and is told to decode", () => {
    const seen: unknown[] = [];
    const source = kafka({
      topic: "orders",
      schema: columns({ n: long() }),
      metadata: {
        arrivedAt: "timestamp",
        place: "partition",
        at: "offset",
        key: "key",
        notes: "headers",
        from: "topic",
      },
      decode: (bytes, { key, headers, sequence, shard, arrival }) => {
        seen.push([Buffer.from(key!).toString(), headers.length, sequence, shard, arrival]);
        return bytes.subarray(5);
      },
    });
    const value = Buffer.concat([Buffer.from([0, 0, 0, 0, 1]), Buffer.from('{"n":3}')]).toString("base64");
    const event = {
      eventSource: "aws:kafka",
      records: {
        "orders-4": [
          {
            topic: "orders",
            partition: 4,
            offset: 99,
            timestamp: 1_700_000_000_000,
            key: Buffer.from("bob").toString("base64"),
            headers: [{ trace: [97, 98] }],
            value,
          },
        ],
      },
    };
    const [delivery] = kafkaDeliveries(event, () => "orders");
    const decoded = decodeRecords(decoderOf(readStream(source) as never), delivery!.records, delivery!);
    expect(decoded.table.row(decoded.rows[0]!)).toEqual({
      n: 3,
      arrivedAt: 1_700_000_000_000,
      place: 4,
      at: 99,
      key: "bob",
      notes: { trace: "ab" },
      from: "orders",
    });
    expect(seen).toEqual([["bob", 1, "99", "4", 1_700_000_000_000]]);
  });

  it("goes with declared columns, and can be the event time", () => {
    const source = kinesis({
      stream: "views",
      schema: columns({ n: long() }),
      metadata: { arrivedAt: "arrival", shard: "shard", key: "partitionKey" },
    });
    const stream = readStream(source).withWatermark("arrivedAt", "1 minute");
    const { definition } = stream.writeStream({ queryName: "q", outputMode: "append", sink: memory() });
    const { input } = definition.plan as unknown as { input: SourceNode };
    const decoded = decodeRecords(sourceDecoder(input, definition), [record("{"), record('{"n":1}')], {
      stream: "views",
      shard: "s-1",
    });
    expect([...decoded.rows].map((at) => decoded.table.row(at))).toEqual([
      { n: 1, arrivedAt: 1_700_000_000_000, shard: "s-1", key: "k" },
    ]);
    expect([...decoded.malformed.keys()]).toEqual([0]);
  });

  it("is refused beside a schema that makes its own rows, and by an unknown name", () => {
    const schema = z.object({ n: z.number() });
    expect(codeOf(() => kinesis({ stream: "s", schema, metadata: { a: "arrival" } }))).toBe("option-invalid");
    expect(codeOf(() => kinesis({ stream: "s", schema: View, metadata: { a: "age" as never } }))).toBe(
      "option-invalid",
    );
  });
});
