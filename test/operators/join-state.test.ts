import { describe, expect, it } from "vitest";
import { joinTables, openJoinState } from "../../lib/operators/join-state.js";
import { memoryState } from "../../lib/state/staged-state.js";

const tables = joinTables("j");
const probe = { prefix: "a", comparable: true, expiry: 5 };

function pass(memory: ReturnType<typeof memoryState>, work: (state: ReturnType<typeof openJoinState>) => void) {
  const staged = memory.stage();
  const state = openJoinState(staged, tables);
  work(state);
  state.close();
  memory.commit(staged);
}

describe("a join's state", () => {
  it("keeps equal rows apart, within a pass and across passes, also after earlier ones were removed", () => {
    const memory = memoryState();
    const row = { lk: "a" };
    pass(memory, (state) => {
      state.store("left", row, probe, false);
      state.store("left", row, probe, false);
    });
    pass(memory, (state) => {
      state.left.remove([...state.left.withPrefix("a")][0]!.key);
      state.store("left", row, probe, false);
    });
    pass(memory, (state) => {
      expect(state.left.size).toBe(2);
      expect(new Set([...state.left.rows()].map(({ key }) => key)).size).toBe(2);
    });
  });

  it("remembers a match without changing the committed row", () => {
    const memory = memoryState();
    pass(memory, (state) => state.store("right", { rk: "a" }, probe, false));
    const staged = memory.stage();
    const state = openJoinState(staged, tables);
    state.markMatched("right", [...state.right.withPrefix("a")]);
    expect([...state.right.expired(5)].map(({ value }) => value.matched)).toEqual([true]);
    const untouched = openJoinState(memory.stage(), tables);
    expect([...untouched.right.rows()].map(({ value }) => value.matched)).toEqual([false]);
  });

  it("changes nothing in a pass that stores nothing", () => {
    const memory = memoryState();
    const staged = memory.stage();
    openJoinState(staged, tables).close();
    expect(staged.delta().size).toBe(0);
  });
});
