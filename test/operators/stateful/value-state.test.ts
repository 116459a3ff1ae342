import { describe, expect, it } from "vitest";
import { valueState } from "../../../lib/operators/stateful/value-state.js";
import { scopeFor } from "./scope-for.js";

const TABLE = { operatorId: "op", table: "state:v", locate: "key" } as const;

describe("valueState", () => {
  it("keeps one value per key, falsy ones too", () => {
    const { scope, commit } = scopeFor("k");
    const value = valueState<number | null>(scope, TABLE, null);
    expect([value.exists(), value.get()]).toEqual([false, null]);
    value.update(0);
    commit();
    expect([value.exists(), value.get()]).toEqual([true, 0]);
    scope.key = "other";
    expect(value.exists()).toBe(false);
  });

  it("counts updates, and removals of what was there", () => {
    const { scope } = scopeFor("k");
    const value = valueState<number>(scope, TABLE, null);
    value.clear();
    value.update(1);
    value.update(2);
    value.clear();
    expect([scope.updated, scope.removed, value.exists()]).toEqual([2, 1, false]);
  });

  it("is not there outside a call", () => {
    const { scope } = scopeFor("k");
    scope.key = null;
    expect(() => valueState(scope, TABLE, null).get()).toThrow(/state-outside-call/);
  });
});
