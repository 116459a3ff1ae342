import { describe, expect, it } from "vitest";
import { timers } from "../../../lib/operators/stateful/timers.js";
import { scopeFor } from "./scope-for.js";

const TABLE = { operatorId: "op", table: "timers", locate: "key", prefixed: true } as const;

describe("timers", () => {
  it("are listed per key in order of time and are one per instant", () => {
    const { scope, commit } = scopeFor("a");
    const own = timers(scope, TABLE);
    for (const at of [30, 4, 200.0005, 30]) own.register(at);
    scope.key = "b";
    own.register(1);
    commit();
    scope.key = "a";
    expect(own.list()).toEqual([4, 30, 200.001]);
  });

  it("are due at their time, inclusive, over all keys in order of time", () => {
    const { scope } = scopeFor("a");
    const own = timers(scope, TABLE);
    own.register(30);
    own.register(31);
    scope.key = "b";
    own.register(-5);
    expect(own.due(scope.pass!.state, 30_000)).toEqual([
      { key: "b", expiry: -5_000 },
      { key: "a", expiry: 30_000 },
    ]);
  });

  it("are taken once, and not at all once deleted", () => {
    const { scope } = scopeFor("a");
    const own = timers(scope, TABLE);
    own.register(1);
    own.register(2);
    const [first, second] = own.due(scope.pass!.state, 5_000);
    own.delete(2);
    own.delete(99);
    expect(own.take(scope.pass!.state, first!)).toBe(true);
    expect(own.take(scope.pass!.state, first!)).toBe(false);
    expect(own.take(scope.pass!.state, second!)).toBe(false);
  });
});
