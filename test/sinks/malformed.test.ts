import { expect, it } from "vitest";
import { jsonLines } from "../../lib/sinks/json-lines.js";
import { MALFORMED_SCHEMA, malformedOutputRow } from "../../lib/sinks/malformed.js";

const record = {
  source: "views",
  stream: "page-views",
  shard: "shardId-000000000000",
  sequence: "42",
  sub: 0,
  arrival: 1000,
  reason: "not-json",
  detail: "3 bytes that are not one JSON value",
};
const written = (row: ReturnType<typeof malformedOutputRow>) =>
  JSON.parse(Buffer.from(jsonLines([row], MALFORMED_SCHEMA)).toString());

it("malformedOutputRow holds the record as it came, why and where", () => {
  expect(written(malformedOutputRow({ ...record, payload: { base64: "e30x" } }))).toEqual({
    reason: "not-json",
    detail: "3 bytes that are not one JSON value",
    source: { stream: "page-views", shard: "shardId-000000000000", sequence: "42", sub: 0 },
    arrival: "1970-01-01T00:00:01Z",
    payload: "e30x",
    row: null,
  });
});

it("malformedOutputRow holds the row where only the row is known", () => {
  const payload = { row: { at: 0, page: "/" } };
  const schema = { fields: [{ name: "at", type: "timestamp", nullable: true } as const] };
  expect(written(malformedOutputRow({ ...record, payload }, schema))).toMatchObject({
    payload: null,
    row: { at: "1970-01-01T00:00:00Z", page: "/" },
  });
});
