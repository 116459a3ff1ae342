import { afterEach, expect, test } from "vitest";
import { collectList, columns, json, kinesis, memory, readStream, string, timestamp, window } from "../../lib/index.js";
import type { Schema } from "../../lib/plan/schema.js";
import { jsonLines } from "../../lib/sinks/json-lines.js";
import { decodeRows, encodeRows } from "../../lib/sinks/staged-rows.js";
import { type CsvRow, csvRows } from "../../lib/sources/csv.js";
import { csvColumns } from "../../lib/sources/csv-payload.js";
import { compileRowDecoder } from "../../lib/sources/row-decoder.js";
import { decodeRow, encodeRow } from "../../lib/state/row-codec.js";
import { engine, seconds, send } from "../runtime/support/engine.js";

const POLLUTED =
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"toString":"x","a":[{"__proto__":3}]}';

afterEach(() => {
  const bare = {} as Record<string, unknown>;
  expect(bare["polluted"]).toBeUndefined();
  expect(String(bare)).toBe("[object Object]");
  expect(Object.keys(Object.prototype)).toEqual([]);
});

const schema = { eventTime: timestamp(), toString: string(), tags: json() };

const { definition } = readStream(kinesis({ stream: "stream", schema: columns(schema) }))
  .withWatermark("eventTime", "0 seconds")
  .groupBy(window("eventTime", "10 seconds"), "toString")
  .agg({ all: collectList("tags") })
  .writeStream({ queryName: "prototypes", outputMode: "append", sink: memory() });

test("members named __proto__ and constructor are data like any other: in rows, state, cold loads, late rows and results", async () => {
  const w = engine(definition);
  const row = (at: number, tags: string, key = '"k"') =>
    `{"eventTime":"${seconds(at)}","toString":${key},"tags":${tags}}`;
  await (await w.start()).processBatch([send(1, [row(1, POLLUTED), row(2, "5")], { source: "stream" })]);
  // Cold: the state comes back from its encoding.
  await (await w.start()).processBatch([
    send(
      3,
      [row(3, POLLUTED), row(60, "null"), `{"__proto__":{"toString":"k"},"eventTime":"${seconds(4)}","tags":1}`],
      {
        source: "stream",
      },
    ),
  ]);
  await (await w.start()).processBatch([send(6, [row(5, POLLUTED)], { source: "stream" })]);
  const results = w.sink.rows();
  const inherited = results.find((result) => result["toString"] === null);
  expect(inherited).toMatchObject({ all: [1] });
  const counted = results.find((result) => result["toString"] === "k") as { all: unknown[] };
  expect(counted.all.map((tags) => JSON.stringify(tags)).sort()).toEqual(["5", canonicalText, POLLUTED]);
  const [late] = w.sink.rows("late");
  expect(JSON.stringify(late)).toContain('"__proto__":{"polluted":1}');
});

/** State keeps members in the order of their names; the last batch has not been there. */
const canonicalText =
  '{"__proto__":{"polluted":1},"a":[{"__proto__":3}],"constructor":{"prototype":{"polluted":2}},"toString":"x"}';

test("codecs of state and of staged rows, and JSON lines, give back what they got", () => {
  const value = JSON.parse(POLLUTED) as Record<string, unknown>;
  expect(JSON.stringify(decodeRow(encodeRow(value)))).toBe(canonicalText);
  expect(JSON.stringify(decodeRows(encodeRows([{ tags: value }]))[0]!["tags"])).toBe(POLLUTED);
  const line = Buffer.from(
    jsonLines([{ tags: value }], { fields: [{ name: "tags", type: "json", nullable: true }] }),
  ).toString();
  expect(line).toBe(`{"tags":${POLLUTED}}\n`);
});

test("a CSV header of such names makes no column of them", async () => {
  const rows: CsvRow[] = [];
  const limits = { maxLength: 1000, maxCells: 10 };
  for await (const row of csvRows(chunk('__proto__,constructor,name\n"{""polluted"":1}",x,y\n'), limits))
    rows.push(row);
  const [header, row] = rows as [CsvRow, CsvRow];
  const names = header.cells.map(({ text }) => text);
  const schema: Schema = { fields: [{ name: "name", type: "string", nullable: true }] };
  expect(compileRowDecoder(schema)(csvColumns(names, schema).payload(row).data)).toEqual({ row: { name: "y" } });
});

async function* chunk(text: string): AsyncIterable<string> {
  yield text;
}
