import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memoryState } from "../../lib/state/staged-state.js";
import type { StateStore, TableSpec } from "../../lib/state/state-store.js";

const windows: TableSpec = { operatorId: "agg", table: "groups", locate: "expiry" };
const sides: TableSpec = { operatorId: "join", table: "left", locate: "key", prefixed: true };

type Op =
  | { readonly kind: "put"; readonly key: string; readonly expiry: number | null; readonly value: number }
  | { readonly kind: "remove"; readonly key: string; readonly expiry: number | null }
  | { readonly kind: "expire"; readonly through: number }
  | { readonly kind: "commit" };

const key = fc.constantFrom("a\u00001", "a\u00002", "b\u00001", "c\u00001");
const expiry = fc.constantFrom(null, 10, 20, 70_000_000);
const op: fc.Arbitrary<Op> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("put" as const), key, expiry, value: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("remove" as const), key, expiry }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("expire" as const), through: fc.constantFrom(10, 15, 20, Infinity) }),
  },
  fc.record({ kind: fc.constant("commit" as const) }),
);

interface ModelRow {
  readonly key: string;
  readonly expiry: number | null;
  readonly value: number;
}

/** The plainest thing that could work: a list of rows in order of insertion. */
function model(byExpiry: boolean) {
  let rows: ModelRow[] = [];
  const at = (k: string, e: number | null) => rows.findIndex((r) => r.key === k && (!byExpiry || r.expiry === e));
  return {
    put(row: ModelRow) {
      const i = at(row.key, row.expiry);
      if (i < 0) rows = [...rows, row];
      else rows = rows.with(i, row);
    },
    remove(k: string, e: number | null) {
      const i = at(k, e);
      if (i >= 0) rows = rows.toSpliced(i, 1);
    },
    expire: (through: number) => {
      const before = rows.length;
      rows = rows.filter((r) => r.expiry === null || r.expiry > through);
      return before - rows.length;
    },
    rows: () => rows,
  };
}

const order = (e: number | null) => e ?? Infinity;

function check(store: StateStore<number>, rows: readonly ModelRow[], byExpiry: boolean) {
  const sorted = rows.toSorted((a, b) => (byExpiry ? order(a.expiry) - order(b.expiry) || 0 : 0));
  expect([...store.rows()]).toEqual(byExpiry ? sorted : rows);
  expect(store.size).toBe(rows.length);
  for (const row of rows) expect(store.get(row.key, row.expiry)).toBe(row.value);
  const due = rows.filter((r) => r.expiry !== null && r.expiry <= 20).toSorted((a, b) => a.expiry! - b.expiry!);
  expect([...store.expired(20)]).toEqual(due);
  expect([...store.lasting()]).toEqual(rows.filter((r) => r.expiry === null));
  const expiries = [...store.rows()].flatMap((row) => (row.expiry === null ? [] : [row.expiry]));
  expect(store.firstExpiry()).toBe(expiries.length === 0 ? null : Math.min(...expiries));
  if (!byExpiry) expect([...store.withPrefix("a")]).toEqual(rows.filter((r) => r.key.startsWith("a\u0000")));
}

function run(spec: TableSpec, ops: readonly Op[]) {
  const byExpiry = spec.locate === "expiry";
  const memory = memoryState();
  const plain = model(byExpiry);
  let staged = memory.stage();
  let store = staged.table<number>(spec);
  for (const step of ops) {
    if (step.kind === "put") {
      store.put(step.key, step.value, step.expiry);
      plain.put(step);
    } else if (step.kind === "remove") {
      store.remove(step.key, step.expiry);
      plain.remove(step.key, step.expiry);
      expect(store.get(step.key, step.expiry)).toBeUndefined();
    } else if (step.kind === "expire") expect(store.expireThrough(step.through)).toBe(plain.expire(step.through));
    else {
      const bytes = staged.stateBytes;
      memory.commit(staged);
      expect(memory.state.bytes).toBe(bytes);
      staged = memory.stage();
      store = staged.table<number>(spec);
    }
    check(
      store,
      plain.rows().map(({ key, expiry, value }) => ({ key, expiry, value })),
      byExpiry,
    );
  }
}

describe("the staged state", () => {
  it("answers like a plain list of rows, located by expiry", () => {
    fc.assert(
      fc.property(fc.array(op, { maxLength: 40 }), (ops) => run(windows, ops)),
      { numRuns: 500 },
    );
  });

  it("answers like a plain list of rows, located by key", () => {
    fc.assert(
      fc.property(fc.array(op, { maxLength: 40 }), (ops) => run(sides, ops)),
      { numRuns: 500 },
    );
  });

  it("leaves the committed state untouched until it is committed", () => {
    const memory = memoryState();
    const first = memory.stage();
    first.table<number[]>(windows).put("k", [1], 10);
    memory.commit(first);
    const second = memory.stage();
    second.table<number[]>(windows).put("k", [2], 10);
    second.table<number[]>(windows).expireThrough(10);
    expect(memory.stage().table(windows).get("k", 10)).toEqual([1]);
  });
});
