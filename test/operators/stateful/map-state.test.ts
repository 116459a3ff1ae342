import { describe, expect, it } from "vitest";
import { mapState } from "../../../lib/operators/stateful/map-state.js";
import { scopeFor } from "./scope-for.js";

const TABLE = { operatorId: "op", table: "state:map", locate: "key", prefixed: true } as const;

describe("mapState", () => {
  it("finds values by the value of their key, whatever its type", () => {
    const { scope } = scopeFor("k");
    const map = mapState<unknown, string>(scope, TABLE, null);
    map.updateValue(1, "number");
    map.updateValue("1", "text");
    map.updateValue({ a: 1, b: null }, "object");
    expect(map.getValue(1)).toBe("number");
    expect(map.getValue("1")).toBe("text");
    expect(map.getValue({ b: null, a: 1 })).toBe("object");
    expect(map.getValue(2)).toBeNull();
    expect(map.keys()).toEqual([1, "1", { a: 1, b: null }]);
  });

  it("lists entries in order of first insertion and forgets removed ones", () => {
    const { scope, commit } = scopeFor("k");
    const map = mapState<string, number>(scope, TABLE, null);
    map.updateValue("z", 1);
    map.updateValue("a", 2);
    commit();
    map.updateValue("z", 3);
    expect(map.entries()).toEqual([
      ["z", 3],
      ["a", 2],
    ]);
    map.removeKey("z");
    expect(map.values()).toEqual([2]);
    expect(map.containsKey("z")).toBe(false);
    map.clear();
    expect(map.exists()).toBe(false);
  });

  it("keeps entries of different groups apart, control characters and all", () => {
    const { scope } = scopeFor("k");
    const map = mapState<string, number>(scope, TABLE, null);
    map.updateValue("\u0000\u0001", 1);
    scope.key = "j";
    expect(map.entries()).toEqual([]);
    scope.key = "k";
    expect(map.entries()).toEqual([["\u0000\u0001", 1]]);
  });
});
