import { describe, expect, test } from "vitest";
import { col, columns, count, memory, readStream, string, timestamp, userAggregate, window } from "../../lib/index.js";
import { codeOf } from "../plan/plans.js";

const stream = readStream(memory({ name: "s", schema: columns({ at: timestamp(), user: string(), page: string() }) }));
const timed = stream.withWatermark("at", "1 minute");

describe("agg", () => {
  test("gives the window, the keys, then the aggregates", () => {
    const { plan } = timed.groupBy("user", window("at", "5 minutes"), { host: col("page") }).agg({ n: count() });
    expect(plan.schema.fields.map(({ name }) => name)).toEqual(["window", "user", "host", "n"]);
  });

  test("brings the functions of its aggregates along", () => {
    const longest = { init: () => 0, add: (a: number) => a, merge: (a: number) => a, finish: (a: number) => a };
    const { functions } = timed.groupBy("user").agg({ longest: userAggregate("page", longest) });
    expect(Object.values(functions)).toEqual([longest]);
  });

  test("takes one window", () => {
    const twice = timed.groupBy(window("at", "5 minutes"), window("at", "1 hour", { as: "hour" }));
    expect(codeOf(() => twice.agg({ n: count() }))).toBe("multiple-windows");
  });
});

describe("user code over keyed state", () => {
  const countRows = (key: { user: string | null }, rows: readonly object[]) => [{ ...key, n: rows.length }];

  test("names its operator, its clock and what its rows mean", () => {
    const options = { id: "visits", timeMode: "eventTime", outputMode: "update" } as const;
    const { plan, functions } = timed.groupBy("user").flatMapGroupsWithState(countRows, options);
    expect(plan).toMatchObject({
      kind: "groupsWithState",
      keys: ["user"],
      operatorId: "visits",
      timeMode: "eventTime",
      outputMode: "update",
    });
    expect(functions[(plan as { function: string }).function]).toBe(countRows);
  });

  test("keeps no time and appends unless told otherwise", () => {
    const { plan } = timed.groupBy("user").flatMapGroupsWithState(countRows);
    expect(plan).toMatchObject({ timeMode: "none", outputMode: "append" });
  });

  test("is keyed by plain columns alone", () => {
    const byWindow = () => timed.groupBy(window("at", "5 minutes")).flatMapGroupsWithState(() => []);
    expect(codeOf(byWindow)).toBe("stateful-keys");
    expect(codeOf(() => timed.groupBy().flatMapGroupsWithState(() => []))).toBe("stateful-keys");
  });
});
