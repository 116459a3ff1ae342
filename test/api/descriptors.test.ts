import { expect, test } from "vitest";
import { CONNECTOR_FUNCTIONS } from "../../lib/api/descriptors.js";
import { columns, console, dynamodb, files, kafka, kinesis, memory, s3 } from "../../lib/index.js";

import { SINKS, SOURCES } from "../../lib/plan/connectors/catalogue.js";

const schema = columns({});

test("every kind of the catalogue has its function, and no other", () => {
  expect(Object.keys(CONNECTOR_FUNCTIONS).sort()).toEqual(
    [...new Set([...Object.keys(SOURCES), ...Object.keys(SINKS)])].sort(),
  );
});

test("a source is named after its stream or topic, unless it has a name of its own", () => {
  expect(kinesis({ stream: "views", schema })).toMatchObject({ kind: "kinesis", name: "views", stream: "views" });
  expect(kafka({ topic: "views", schema, name: "web" })).toMatchObject({ kind: "kafka", name: "web", topic: "views" });
  expect(files({ name: "old", schema, paths: ["a.csv"] })).toMatchObject({ kind: "files", name: "old" });
});

test("a sink is its kind and its options, JSON-able and frozen", () => {
  const sinks = [
    [s3({ prefix: "p/" }), { kind: "s3", prefix: "p/" }],
    [s3(), { kind: "s3" }],
    [console(), { kind: "console" }],
    [memory(), { kind: "memory" }],
    [dynamodb({ table: "t", key: ["k"] }), { kind: "dynamodb", table: "t", key: ["k"] }],
  ] as const;
  for (const [sink, expected] of sinks) {
    expect(JSON.parse(JSON.stringify(sink))).toEqual(expected);
    expect(Object.isFrozen(sink)).toBe(true);
  }
});
