import { describe, expect, it } from "vitest";
import { listState } from "../../../lib/operators/stateful/list-state.js";
import { scopeFor } from "./scope-for.js";

const TABLE = { operatorId: "op", table: "state:list", locate: "key", prefixed: true } as const;

describe("listState", () => {
  it("appends in order and reads back copies", () => {
    const { scope } = scopeFor("k");
    const list = listState<{ n: number }>(scope, TABLE, null);
    expect(list.exists()).toBe(false);
    list.appendValue({ n: 1 });
    list.appendList([{ n: 2 }, { n: 3 }]);
    list.get()[0]!.n = 99;
    expect(list.get()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(list.exists()).toBe(true);
  });

  it("keeps the order beyond ten elements and over commits", () => {
    const { scope, commit } = scopeFor("k");
    const list = listState<number>(scope, TABLE, null);
    const expected = Array.from({ length: 25 }, (_, i) => i);
    for (const n of expected) {
      list.appendValue(n);
      commit();
    }
    expect(list.get()).toEqual(expected);
  });

  it("replaces the list, by its own elements too", () => {
    const { scope } = scopeFor("k");
    const list = listState<number>(scope, TABLE, null);
    list.put([1, 2, 3]);
    list.put(list.get().map((n) => n * 10));
    expect(list.get()).toEqual([10, 20, 30]);
    list.clear();
    expect(list.get()).toEqual([]);
  });

  it("keeps keys apart, even where one begins as another ends", () => {
    const { scope } = scopeFor("k");
    const list = listState<number>(scope, TABLE, null);
    list.put([1]);
    scope.key = "k1";
    expect(list.get()).toEqual([]);
  });
});
