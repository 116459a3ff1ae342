import { describe, expect, test } from "vitest";
import { assignOperatorIds } from "../../lib/plan/assign-operator-ids.js";
import { checkCompatible } from "../../lib/plan/check-compatible.js";
import type { Expression } from "../../lib/plan/expression.js";
import { fingerprintOf } from "../../lib/plan/fingerprint.js";
import type { LogicalNode, OutputMode } from "../../lib/plan/logical-plan.js";
import {
  type AggregateInput,
  aggregateNode,
  filterNode,
  joinNode,
  makeWindow,
  watermarkNode,
} from "../../lib/plan/nodes/nodes.js";
import { call, codeOf, column, countPerWindow, events, keep, timedClicks, timedEvents } from "./plans.js";

const count: AggregateInput = { as: "count", fn: "count" };
const total: AggregateInput = { as: "total", fn: "sum", value: column("value") };

const grouped = (
  size: string,
  keys: readonly string[],
  aggregates: readonly AggregateInput[],
  input: LogicalNode = timedEvents,
  operatorId?: string,
) =>
  aggregateNode(input, {
    window: makeWindow({ column: "ts", size }),
    keys: keys.map((key) => keep(key)),
    aggregates,
    ...(operatorId === undefined ? {} : { operatorId }),
  });

const print = (plan: LogicalNode, outputMode: OutputMode = "append") =>
  fingerprintOf({ plan: assignOperatorIds(plan), outputMode });
const restart = (before: LogicalNode, after: LogicalNode) => codeOf(() => checkCompatible(print(before), print(after)));

const base = grouped("5 minutes", ["user"], [count, total]);

describe("a restarted query", () => {
  test("goes on with another window size, delay, filter or output name", () => {
    expect(restart(base, grouped("10 minutes", ["user"], [count, total]))).toBe("accepted");
    expect(restart(base, grouped("5 minutes", ["user"], [count, total], watermarkNode(events, "ts", "1 hour")))).toBe(
      "accepted",
    );
    const filtered = filterNode(timedEvents, call("isNotNull", column("user")));
    expect(restart(base, grouped("5 minutes", ["user"], [count, total], filtered))).toBe("accepted");
    expect(restart(base, grouped("5 minutes", ["user"], [count, { ...total, as: "sum" }]))).toBe("accepted");
  });

  test("is refused with other aggregates, old and new side by side", () => {
    const changed = grouped("5 minutes", ["user"], [count]);
    expect(restart(base, changed)).toBe("state-value-schema-changed");
    expect(() => checkCompatible(print(base), print(changed))).toThrow(
      /stored count\(\): bigint; sum\(bigint\): bigint, now count\(\): bigint/,
    );
  });

  test("is refused with other keys, whether its operator is named or not", () => {
    expect(restart(base, grouped("5 minutes", ["value"], [count, total]))).toBe("state-key-schema-changed");
    const named = (keys: readonly string[]) => grouped("5 minutes", keys, [count], timedEvents, "per-user");
    expect(restart(named(["user"]), named(["value"]))).toBe("state-key-schema-changed");
    expect(restart(named(["user"]), named(["user"]))).toBe("accepted");
  });

  test("is refused where a join compares other columns, though it reads the same ones", () => {
    const both = (fn: "eq" | "eqNullSafe" | "lt", name: string, other: string) =>
      call(fn, column(name, "left"), column(other, "right"));
    const joined = (id: string | undefined, ...on: Expression[]) =>
      joinNode(timedEvents, timedClicks, {
        type: "inner",
        on: call("and", ...on),
        ...(id === undefined ? {} : { operatorId: id }),
      });
    for (const id of [undefined, "pairs"]) {
      const before = joined(id, both("eq", "user", "rk"), both("eq", "value", "rv"));
      const fewer = joined(id, both("eq", "user", "rk"), both("lt", "value", "rv"));
      const swapped = joined(id, both("eq", "value", "rv"), both("eq", "user", "rk"));
      expect([fewer, swapped].map((after) => restart(before, after))).toEqual(
        Array(2).fill("state-key-schema-changed"),
      );
      const same = joined(id, both("eqNullSafe", "user", "rk"), both("eq", "value", "rv"));
      expect(restart(before, same)).toBe("accepted");
    }
  });

  test("is refused in another output mode", () => {
    expect(codeOf(() => checkCompatible(print(base), print(base, "update")))).toBe("output-mode-changed");
  });

  test("may have a new operator, whose state begins empty", () => {
    const chained = countPerWindow(base, "window", "1 hour", "hour");
    expect(restart(base, chained)).toBe("accepted");
    expect(restart(chained, base)).toBe("state-key-schema-changed");
  });
});

test("a fingerprint survives JSON", () => {
  const stored = JSON.parse(JSON.stringify(print(base)));
  expect(stored).toEqual(print(base));
  expect(codeOf(() => checkCompatible(stored, print(base)))).toBe("accepted");
});

test("the format of a fingerprint is pinned: stored ones must stay readable", () => {
  const stored = JSON.parse(
    '{"version":1,"outputMode":"append","operators":[{"id":"aggregate:b1f547d4","kind":"aggregate","keys":["window","string"],"value":["count(): bigint","sum(bigint): bigint"]}]}',
  );
  expect(codeOf(() => checkCompatible(stored, print(base)))).toBe("accepted");
  expect(JSON.stringify(print(base))).toBe(
    '{"version":2,"outputMode":"append","operators":[{"id":"aggregate:b1f547d4","kind":"aggregate","keys":["window","string"],"value":["count(): bigint","sum(bigint): bigint"],"from":["events"],"feed":"9361e6c1","keyedBy":["ts","user"],"accumulators":["count()","sum(value)"]}],"sources":[{"name":"events","kind":"memory"}]}',
  );
});
