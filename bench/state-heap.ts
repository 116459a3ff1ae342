import { decodeDelta, encodeDelta } from "../lib/checkpoint/delta-codec.js";
import { windowPrefix } from "../lib/operators/group-key.js";
import { applyStateDelta, type CommittedState, emptyState } from "../lib/state/committed-state.js";
import { prefixedKey } from "../lib/state/key-codec.js";
import { stageState } from "../lib/state/staged-state.js";
import type { StateStore, TableSpec } from "../lib/state/state-store.js";
import { heapUsed } from "./collect-garbage.js";
import type { Figure } from "./figure.js";

const ROWS = 60_000;
const BATCH = 3_000;
const MINUTE = 60_000_000;

/** A table as an operator fills it: row n, in the shape in which that operator stores it. */
interface Shape {
  readonly name: string;
  readonly spec: Omit<TableSpec, "operatorId">;
  put(store: StateStore, n: number): void;
}

const T0 = 1_700_000_000_000_000;
const row = (n: number) => ({ id: `user-${n}`, at: T0 / 1000 + n, price: n * 1.5, page: `/page/${n % 50}`, n });

const SHAPES: readonly Shape[] = [
  {
    name: "window, count and sum",
    spec: { table: "groups", locate: "expiry" },
    put: (store, n) => {
      const end = T0 + Math.floor(n / 5_000) * 5 * MINUTE;
      store.put(`${windowPrefix(end - 5 * MINUTE, 5 * MINUTE)}/page/${n % 5_000}`, [n, n * 1.5], end);
    },
  },
  {
    name: "group without time, count and max",
    spec: { table: "groups", locate: "key" },
    put: (store, n) => store.put(`/user/${n}`, [n, `value ${n}`], null),
  },
  {
    name: "session, count",
    spec: { table: "sessions", locate: "key", prefixed: true },
    put: (store, n) => {
      const end = T0 + n * 20_000;
      store.put(prefixedKey(`/user/${n}`, String(end - MINUTE)), { end, accumulator: [n] }, end);
    },
  },
  {
    name: "join, rows of five columns",
    spec: { table: "left", locate: "key", prefixed: true },
    put: (store, n) => {
      const expiry = T0 + n * 20_000;
      store.put(prefixedKey(`/user/${n % 20_000}`, n.toString(36)), { row: row(n), matched: false }, expiry);
    },
  },
  {
    name: "deduplication, key with time",
    spec: { table: "keys", locate: "expiry" },
    put: (store, n) => store.put(`/user-${n}/${T0 + n * 20_000}`, true, T0 + n * 20_000),
  },
  {
    name: "deduplication within watermark",
    spec: { table: "keys", locate: "key" },
    put: (store, n) => store.put(`/user-${n}`, true, T0 + n * 20_000),
  },
  {
    name: "transformWithState, a value of three fields",
    spec: { table: "value", locate: "key" },
    put: (store, n) => store.put(`/user-${n}`, { count: n, last: T0 / 1000 + n, page: `/page/${n % 50}` }, null),
  },
  {
    name: "flatMapGroupsWithState with a timeout",
    spec: { table: "groups", locate: "key" },
    put: (store, n) =>
      store.put(`/user-${n}`, { state: { n, page: `/page/${n % 50}` }, timeout: T0 + n * 20_000 }, T0 + n * 20_000),
  },
];

/** What an environment's heap really holds per operator, against what the state is estimated at: `maxStateBytes` rests on it. */
export async function stateHeap(): Promise<readonly Figure[]> {
  return SHAPES.flatMap(({ name, spec, put }) => {
    const table: TableSpec = { operatorId: "o", ...spec };
    const deltas = encodedBatches(table, put);
    const before = heapUsed();
    const state = emptyState([table]);
    for (const delta of deltas) applyStateDelta(state, decodeDelta(delta));
    const heap = heapUsed() - before;
    const estimate = state.bytes;
    return [
      { name: `heap per state row, ${name}`, value: heap / ROWS, unit: "bytes", budget: null },
      { name: "  estimated", value: estimate / ROWS, unit: "bytes", budget: null },
      { name: "  heap by estimate", value: heap / estimate, unit: "", budget: 1.2 },
    ];
  });
}

/** As batches commit them, so that what is measured is what a cold load makes of stored bytes. */
function encodedBatches(table: TableSpec, put: Shape["put"]): readonly Uint8Array[] {
  const state: CommittedState = emptyState([table]);
  const encoded: Uint8Array[] = [];
  for (let from = 0; from < ROWS; from += BATCH) {
    const staged = stageState(state);
    for (let n = from; n < from + BATCH; n++) put(staged.table(table), n);
    const delta = staged.delta();
    encoded.push(encodeDelta(delta));
    applyStateDelta(state, delta);
  }
  return encoded;
}
