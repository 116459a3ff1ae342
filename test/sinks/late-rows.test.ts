import { expect, it } from "vitest";
import type { Schema } from "../../lib/plan/schema.js";
import { jsonLines } from "../../lib/sinks/json-lines.js";
import { LATE_SCHEMA, lateOutputRow } from "../../lib/sinks/late-rows.js";

const schema: Schema = {
  fields: [
    { name: "page", type: "string", nullable: true },
    { name: "eventTime", type: "timestamp", nullable: true },
  ],
};
const place = { stream: "page-views", shard: "shardId-000000000000", sequence: "42", sub: 1 };
const noon = Date.UTC(2024, 0, 1, 12);

it("lateOutputRow says where the row came from, how late it was and what it missed", () => {
  const row = lateOutputRow(
    {
      operatorId: "window-1",
      row: { page: "/", eventTime: noon },
      origin: { source: 0, record: 3 },
      eventTime: noon,
      watermark: noon + 360_000,
      missed: [{ start: noon, end: noon + 300_000 }],
    },
    {
      placeOf: (origin) => (origin.record === 3 ? place : null),
      payloadOf: (origin) => (origin.record === 3 ? "e30=" : null),
      schemaOf: () => schema,
    },
  );
  expect(JSON.parse(Buffer.from(jsonLines([row], LATE_SCHEMA)).toString())).toEqual({
    row: { page: "/", eventTime: "2024-01-01T12:00:00Z" },
    source: place,
    eventTime: "2024-01-01T12:00:00Z",
    watermark: "2024-01-01T12:06:00Z",
    lateByMs: 360_000,
    operator: "window-1",
    missedWindows: [{ start: "2024-01-01T12:00:00Z", end: "2024-01-01T12:05:00Z" }],
    partial: false,
    reason: "late",
    payload: "e30=",
  });
});

it("lateOutputRow knows no place for rows of a stateful operator, and no distance to a drained partition", () => {
  const late = {
    operatorId: "dedup-1",
    row: { a: 1 },
    origin: null,
    eventTime: noon,
    watermark: Number.POSITIVE_INFINITY,
    reason: "drained" as const,
    partial: true as const,
  };
  expect(lateOutputRow(late, { placeOf: () => place })).toMatchObject({
    row: { a: 1 },
    source: null,
    watermark: null,
    lateByMs: null,
    partial: true,
    reason: "drained",
  });
});
