import { expect, test } from "vitest";
import { columns, isQuery, kinesis, memory, QUERY_BRAND, readStream, s3, string, timestamp } from "../../lib/index.js";

const stream = readStream(kinesis({ stream: "s", schema: columns({ at: timestamp(), page: string() }) }));
const write = { queryName: "q", outputMode: "append", sink: s3({ prefix: "p/" }) } as const;

test("a query is found by its brand, also by another copy of the package", () => {
  const query = stream.writeStream(write);
  expect(isQuery(query)).toBe(true);
  expect(QUERY_BRAND).toBe(Symbol.for("tidemark.query"));
  expect(Object.isFrozen(query)).toBe(true);
  expect([null, 5, {}, { definition: query.definition }].some(isQuery)).toBe(false);
});

test("warnings come with the query and in its explanation", () => {
  const query = stream.withWatermark("at", "1 minute").writeStream({ ...write, sink: memory() });
  expect(query.warnings.map(({ code }) => code)).toEqual(["watermark-unused"]);
  expect(query.explain()).toContain("[watermark-unused] No stateful operator uses the watermark on 'at'.");
});
