import type { CrashStep } from "../../lib/testing/crash.js";
import type { Choices } from "../simulation/choices.js";
import { filteredByJoin, passesFilter, type SeenRow } from "./brute-force.js";
import { markerRow, type PlacedRow } from "./input.js";
import type { Shape } from "./shape.js";

/** One invocation: its rows in the order in which they are processed, and what goes wrong around it. */
export interface Invocation {
  readonly rows: readonly PlacedRow[];
  /** Records before the new ones that are sent once more, per shard. */
  readonly replayed: number;
  readonly restart: boolean;
  readonly tick: boolean;
  readonly crash: CrashStep | null;
}

const PLAIN: Omit<Invocation, "rows"> = { replayed: 0, restart: false, tick: false, crash: null };
const CRASHES: readonly CrashStep[] = ["load", "stage", "commit", "publish"];

/** By source, then by shard, as the runtime takes them. */
const inOrder = (rows: readonly PlacedRow[]): readonly PlacedRow[] =>
  [...rows].sort((a, b) => a.source - b.source || a.shard - b.shard || a.sequence - b.sequence);

/** Everything in one micro-batch. */
export const oneBatch = (input: readonly (readonly PlacedRow[])[]): readonly Invocation[] =>
  input.some((rows) => rows.length > 0) ? [{ ...PLAIN, rows: inOrder(input.flat()) }] : [];

/** Any cut into micro-batches, any interleaving of the sources, restarts, crashes and replays. */
export function drawDeliveries(choices: Choices, input: readonly (readonly PlacedRow[])[]): readonly Invocation[] {
  const at = input.map(() => 0);
  const invocations: Invocation[] = [];
  while (at.some((next, source) => next < input[source]!.length)) {
    const rows: PlacedRow[] = [];
    for (const [source, all] of input.entries()) {
      const end = Math.min(all.length, at[source]! + choices.pick(8));
      rows.push(...all.slice(at[source], end));
      at[source] = end;
    }
    if (rows.length === 0) continue;
    invocations.push({
      rows: inOrder(rows),
      replayed: choices.chance(0.2) ? choices.pick(6) : 0,
      restart: choices.chance(0.15),
      tick: choices.chance(0.15),
      crash: choices.chance(0.2) ? CRASHES[choices.pick(4)]! : null,
    });
  }
  return invocations;
}

/** Micro-batches that move every source far ahead; a second one where evictions wait for data. */
export function closingMarkers(shape: Shape, input: readonly (readonly PlacedRow[])[]): readonly Invocation[] {
  const rounds = shape.noDataMicroBatches ? [1] : [1, 2];
  return rounds.map((round) => ({
    ...PLAIN,
    rows: input.map((rows, source) => ({
      ...markerRow(source, round),
      source,
      shard: 0,
      sequence: rows.filter(({ shard }) => shard === 0).length + round,
    })),
  }));
}

/** The rows as an engine without faults would see them one after the other: each with the watermark in force, in µs. */
export function asSeen(shape: Shape, invocations: readonly Invocation[]): readonly SeenRow[] {
  const nodes = shape.watermarkAt === "union" ? 1 : shape.sources;
  const perNode: number[] = Array.from({ length: nodes }, () => Number.NEGATIVE_INFINITY);
  let watermark = Number.NEGATIVE_INFINITY;
  return invocations.flatMap(({ rows }, batch) => {
    const inForce = watermark;
    for (const row of rows) {
      if (row.t === null || !movesWatermark(shape, row)) continue;
      const node = shape.watermarkAt === "union" ? 0 : row.source;
      perNode[node] = Math.max(perNode[node]!, Math.floor(row.t / 1000) - shape.delayMs);
    }
    const combined = shape.policy === "min" ? Math.min(...perNode) : Math.max(...perNode);
    watermark = Math.max(watermark, combined);
    return rows.map((row) => ({ ...row, watermark: inForce * 1000, batch }));
  });
}

/** A filter by an expression is below the watermark, and so are those that a join implies, unless a function stands between (SEMANTICS A11, F8, 0.12). */
function movesWatermark(shape: Shape, row: PlacedRow): boolean {
  if (shape.filter?.kind === "function") return true;
  return (shape.filter === null || passesFilter(shape, row)) && !filteredByJoin(shape, row, row.source);
}
