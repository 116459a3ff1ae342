import { describe, expect, it } from "vitest";
import { type GroupsWithStateSpec, groupsWithState } from "../../lib/operators/groups-with-state.js";
import { keyColumns } from "../../lib/operators/key-columns.js";
import type { GroupFunction } from "../../lib/operators/stateful/group-state.js";
import type { Row, Schema } from "../../lib/plan/schema.js";
import { countOnly, timeoutSession } from "../conformance/handlers.js";
import { counters, operatorHarness } from "./operator-harness.js";

const OUTPUT: Schema = {
  fields: [
    { name: "key", type: "string", nullable: true },
    { name: "kind", type: "string", nullable: true },
    { name: "count", type: "long", nullable: true },
    { name: "wm", type: "long", nullable: true },
  ],
};

const operator = (handler: GroupsWithStateSpec["handler"], options: Partial<GroupsWithStateSpec> = {}) =>
  groupsWithState({
    operatorId: "groups",
    keys: keyColumns([{ name: "user", type: "string", nullable: true }]),
    eventTime: { name: "ts", type: "timestamp" },
    timeMode: "eventTime",
    handler,
    output: { schema: OUTPUT, eventTime: null },
    ...options,
  });

const make = (handler: GroupsWithStateSpec["handler"], options: Partial<GroupsWithStateSpec> = {}) =>
  operatorHarness(operator(handler, options));

const row = (user: string | null, ts: number | null): Row => ({ user, ts });
const data = (key: string | null, count: number, wm: number | null) => ({ key, kind: "data", count, wm });
const timeout = (key: string, count: number, wm: number) => ({ key, kind: "timeout", count, wm });

describe("groupsWithState", () => {
  it("calls once per key with all rows of the pass, whatever the chunks", () => {
    const run = make(countOnly, { timeMode: "none" });
    const pass = run({ chunks: [[row("a", 1), row("b", 1)], [row("a", 2)]] });
    expect(pass.output).toEqual([data("a", 2, null), data("b", 1, null)]);
    expect(counters(pass)).toEqual([2, 2, 0, 0]);
    expect(run({ rows: [row("a", 3)] }).output).toEqual([data("a", 3, null)]);
  });

  it("drops nothing without a timeout, whatever the watermark", () => {
    const pass = make(countOnly, { timeMode: "none" })({ rows: [row("a", 1)], late: 100, evict: 100 });
    expect(counters(pass)).toEqual([1, 1, 0, 0]);
  });

  it("drops rows at the watermark one by one and lets NULL times through", () => {
    const pass = make(timeoutSession({ gapMs: 10 }))({
      rows: [row("a", 50), row("a", 50), row("a", 51), row("n", null)],
      late: 50,
      evict: 50,
    });
    expect(pass.output).toEqual([data("a", 1, 50), data("n", 1, 50)]);
    expect(counters(pass)).toEqual([2, 2, 0, 2]);
    expect(pass.late).toHaveLength(2);
  });

  it("times a group out strictly after its timeout", () => {
    const run = make(timeoutSession({ gapMs: 10 }));
    run({ rows: [row("a", 100)] });
    expect(run({ evict: 110 }).output).toEqual([]);
    const pass = run({ evict: 111 });
    expect(pass.output).toEqual([timeout("a", 1, 111)]);
    expect(counters(pass)).toEqual([0, 0, 1, 0]);
  });

  it("gives a key with rows no timeout call in that pass, even if it was due", () => {
    const run = make(timeoutSession({ gapMs: 10, clamp: true }));
    run({ rows: [row("a", 100), row("b", 100)] });
    const pass = run({ rows: [row("a", 95)], late: 90, evict: 200 });
    expect(pass.output).toEqual([data("a", 2, 200), timeout("b", 1, 200)]);
  });

  it("clears the timeout in every data call that sets none", () => {
    const run = make(timeoutSession({ gapMs: 10, setTimeoutOnlyOnFirst: true }));
    run({ rows: [row("a", 100)] });
    run({ rows: [row("a", 105)] });
    expect(run({ evict: 1000 }).output).toEqual([]);
  });

  it("refuses a timeout that is not after the watermark", () => {
    const run = make(timeoutSession({ gapMs: 0 }));
    expect(() => run({ rows: [row("a", 51)], late: 50, evict: 51 })).toThrow(/timeout-in-the-past.*51/);
  });

  it("times out by processing time where that is the mode, and calls no row late", () => {
    const handler: GroupFunction<Row, Row, Row, number> = function* (key, rows, state) {
      if (state.hasTimedOut) state.remove();
      else {
        state.update(rows.length);
        state.setTimeoutDuration(1000);
      }
      yield { key: key["user"], kind: state.hasTimedOut ? "timeout" : "data" };
    };
    const run = make(handler, { timeMode: "processingTime" });
    expect(run({ rows: [row("a", 1)], late: 100, evict: 100, processingTime: 5000 }).output).toHaveLength(1);
    expect(run({ processingTime: 6000 }).output).toEqual([]);
    expect(run({ processingTime: 6001 }).output).toEqual([{ key: "a", kind: "timeout", count: null, wm: null }]);
  });

  it("keeps a timeout for a group without state", () => {
    const handler: GroupFunction<Row, Row, Row, number> = function* (key, _rows, state) {
      if (!state.hasTimedOut) state.setTimeoutTimestamp(500);
      else yield { key: key["user"], kind: state.exists ? "state" : "none" };
    };
    const run = make(handler);
    run({ rows: [row("a", 1)] });
    expect(run({ evict: 501 }).output).toMatchObject([{ kind: "none" }]);
  });

  it("hands out copies, so that user code cannot change stored state in place", () => {
    const seen: unknown[] = [];
    const handler: GroupFunction<Row, Row, Row, { list: number[] }> = (_key, _rows, state) => {
      const value = state.getOption() ?? { list: [] };
      seen.push([...value.list]);
      if (!state.exists) state.update(value);
      value.list.push(1);
      return [];
    };
    const run = make(handler, { timeMode: "none" });
    run({ rows: [row("a", 1)] });
    run({ rows: [row("a", 1)] });
    run({ rows: [row("a", 1)] });
    expect(seen).toEqual([[], [], []]);
  });

  it("names operator and key when user code throws", () => {
    const handler: GroupFunction = () => {
      throw new Error("no luck");
    };
    expect(() => make(handler)({ rows: [row("a", 1)] })).toThrow(/user-function.*groups.*"a".*no luck/);
  });

  it("refuses the timeout call of the other mode", () => {
    const handler: GroupFunction = (_key, _rows, state) => {
      state.setTimeoutDuration(5);
      return [];
    };
    expect(() => make(handler)({ rows: [row("a", 1)] })).toThrow(/timeout-mode/);
  });

  it("asks for passes without data in event-time mode only", () => {
    expect(operator(countOnly).wantsNoDataPass).toBe(true);
    expect(operator(countOnly, { timeMode: "none" }).wantsNoDataPass).toBe(false);
  });
});
