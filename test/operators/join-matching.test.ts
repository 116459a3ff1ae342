import { describe, expect, it } from "vitest";
import { matchPass } from "../../lib/operators/join-matching.js";
import { joinOutput } from "../../lib/operators/join-output.js";
import type { ProbeSide } from "../../lib/operators/join-side.js";
import { joinTables, openJoinState } from "../../lib/operators/join-state.js";
import type { Side } from "../../lib/plan/join-condition.js";
import type { Row } from "../../lib/plan/schema.js";
import { memoryState } from "../../lib/state/staged-state.js";
import { schemaOf } from "./join-stream.js";

const schemas = { left: schemaOf("l"), right: schemaOf("r") };
/** Rows match by key; all expire at 5 µs. */
const side = (key: string): ProbeSide => ({
  mayMatch: () => true,
  probe: (row) => ({ prefix: String(row[key]), comparable: true, expiry: 5 }),
});
const left = (lk: string) => ({ lt: 0, lk, lv: 1 });
const right = (rk: string) => ({ rt: 0, rk, rv: 1 });

function match(
  waiting: { readonly left: readonly Row[]; readonly right: readonly Row[] },
  { evictThrough = 0, preserved = [] as readonly Side[], semi = false } = {},
) {
  const state = openJoinState(memoryState().stage(), joinTables("j"));
  const counts = { updated: 0, removed: 0 };
  const input = {
    semi,
    waiting,
    sides: { left: side("lk"), right: side("rk") },
    preserved: new Set(preserved),
    state,
    evictThrough,
    matches: () => true,
    output: joinOutput(semi ? "leftSemi" : "inner", schemas, undefined),
    counts,
  };
  const rows = [...matchPass(input)];
  return { rows, counts, stored: { left: state.left.size, right: state.right.size } };
}

describe("one pass of a join", () => {
  it("pairs rows of the pass by key, each pair once, and keeps both sides", () => {
    const { rows, counts, stored } = match({ left: [left("a"), left("b")], right: [right("a"), right("a")] });
    expect(rows.map(({ lk, rk }) => [lk, rk])).toEqual([
      ["a", "a"],
      ["a", "a"],
    ]);
    expect(stored).toEqual({ left: 2, right: 2 });
    expect(counts).toEqual({ updated: 4, removed: 0 });
  });

  it("does not keep a right row that is due already, unless it is to be padded", () => {
    const rows = { left: [], right: [right("a")] };
    expect(match(rows, { evictThrough: 5 }).stored.right).toBe(0);
    expect(match(rows, { evictThrough: 5, preserved: ["right"] }).stored.right).toBe(1);
  });

  it("emits a left row of a semi join once, and finds the partner that is due", () => {
    const waiting = { left: [left("a")], right: [right("a"), right("a")] };
    expect(match(waiting, { semi: true, evictThrough: 5 }).rows).toEqual([left("a")]);
  });
});
