import { expect, test } from "vitest";
import { defineQuery } from "../../lib/plan/define-query.js";
import { codeOf, countPerWindow, events, timedEvents } from "./plans.js";

const query = {
  queryName: "q",
  outputMode: "append",
  plan: countPerWindow(timedEvents),
  sink: { kind: "memory" },
} as const;

test("a query has Spark's defaults and is frozen", () => {
  const definition = defineQuery(query);
  expect(definition).toMatchObject({
    watermarkPolicy: "min",
    lateRule: "state",
    options: { onError: "fail", noDataMicroBatches: true, statePartitions: 1 },
    functions: {},
  });
  expect(Object.isFrozen(definition)).toBe(true);
  expect(() => Object.assign(definition.options, { onError: "malformed" })).toThrow(TypeError);
});

test("a definition without functions survives JSON", () => {
  const definition = defineQuery(query);
  expect(JSON.parse(JSON.stringify(definition))).toEqual(definition);
});

test("what is not supported is thrown with its remedy", () => {
  expect(() => defineQuery({ ...query, plan: countPerWindow(events) })).toThrow(
    /Call withWatermark\(\) before groupBy/,
  );
});

test("options are within their range", () => {
  const option = (options: object) => codeOf(() => defineQuery({ ...query, options }));
  expect(option({ onError: "ignore" })).toBe("option-invalid");
  expect(option({ statePartitions: 0 })).toBe("option-invalid");
  expect(codeOf(() => defineQuery({ ...query, outputMode: "apend" as never }))).toBe("option-invalid");
  expect(codeOf(() => defineQuery({ ...query, sink: {} as never }))).toBe("connector-unknown");
  expect(option({ maxStateBytes: 0 })).toBe("option-invalid");
  expect(option({ inlineLimitBytes: 8192, onError: "malformed" })).toBe("accepted");
  // TRIALS-2 E13: DynamoDB would refuse the item for good.
  expect(option({ inlineLimitBytes: 400_001 })).toBe("option-invalid");
});

test("a name must do for keys", () => {
  expect(codeOf(() => defineQuery({ ...query, queryName: "a/b" }))).toBe("query-name");
  for (const queryName of ["", "..", "a#1", "a*", "a/../b", ".late", "checkpoints", "a".repeat(129), "a\n"])
    expect(codeOf(() => defineQuery({ ...query, queryName }))).toBe("query-name");
});
