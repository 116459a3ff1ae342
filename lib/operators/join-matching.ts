import type { Side } from "../plan/join-condition.js";
import type { Row } from "../plan/schema.js";
import type { StateRow } from "../state/state-store.js";
import type { Micros } from "../time/event-time.js";
import type { JoinOutput } from "./join-output.js";
import type { Probe, ProbeSide } from "./join-side.js";
import type { JoinedRow, JoinState } from "./join-state.js";

/** All that the matching of one pass reads and writes. */
interface MatchInput {
  readonly semi: boolean;
  readonly waiting: { readonly left: readonly Row[]; readonly right: readonly Row[] };
  readonly sides: { readonly left: ProbeSide; readonly right: ProbeSide };
  /** Sides whose unmatched rows are padded. */
  readonly preserved: ReadonlySet<Side>;
  readonly state: JoinState;
  readonly evictThrough: Micros;
  /** The residual condition. */
  readonly matches: (left: Row, right: Row) => boolean;
  readonly output: JoinOutput;
  readonly counts: MatchCounts;
}

interface MatchCounts {
  updated: number;
  removed: number;
}

const isDue = (probe: Probe, through: Micros): boolean => probe.expiry !== null && probe.expiry <= through;

/** Joined and padded rows, one after another: a row with a million partners makes no array of them. */
export function* matchPass(input: MatchInput): Generator<Row, void> {
  if (input.semi) {
    const passing = yield* matchRightOfSemi(input);
    yield* matchLeftOfSemi(input, passing);
  } else {
    yield* matchSide("left", input);
    yield* matchSide("right", input);
  }
}

/**
 * Left rows are always stored, even if due, so that right rows of the same pass find them; a right row that is due is
 * stored only if it will be padded (SEMANTICS F7).
 */
function* matchSide(side: Side, input: MatchInput): Generator<Row, void> {
  const { state, preserved, output, matches, counts } = input;
  const other: Side = side === "left" ? "right" : "left";
  for (const row of input.waiting[side]) {
    if (!input.sides[side].mayMatch(row)) {
      if (preserved.has(side)) yield output.pad(side, row);
      continue;
    }
    const probe = input.sides[side].probe(row);
    let matched = false;
    const newlyMatched: StateRow<JoinedRow>[] = [];
    for (const partner of probe.comparable ? state[other].withPrefix(probe.prefix) : []) {
      const [left, right] = side === "left" ? [row, partner.value.row] : [partner.value.row, row];
      if (!matches(left, right)) continue;
      matched = true;
      yield output.combine(left, right);
      if (preserved.has(other) && !partner.value.matched) newlyMatched.push(partner);
    }
    state.markMatched(other, newlyMatched);
    const stays = side === "left" || !isDue(probe, input.evictThrough) || (preserved.has(side) && !matched);
    if (!stays) continue;
    state.store(side, row, probe, matched && preserved.has(side));
    counts.updated++;
  }
}

/**
 * The right goes first in a left semi join: a stored left row is emitted at its first match and forgotten (F6).
 * Returns the right rows that are due already: never stored, but seen by the left rows of this pass,
 * whose match Spark loses (0.7).
 */
function* matchRightOfSemi(input: MatchInput): Generator<Row, ReadonlyMap<string, readonly Row[]>> {
  const { state, matches, counts } = input;
  const passing = new Map<string, Row[]>();
  for (const row of input.waiting.right) {
    const probe = input.sides.right.probe(row);
    if (!probe.comparable) continue;
    const partners = [...state.left.withPrefix(probe.prefix)].filter(({ value }) => matches(value.row, row));
    for (const { key, value } of partners) {
      yield value.row;
      state.left.remove(key);
      counts.removed++;
    }
    if (!isDue(probe, input.evictThrough)) {
      state.store("right", row, probe, false);
      counts.updated++;
      continue;
    }
    const rows = passing.get(probe.prefix);
    if (rows === undefined) passing.set(probe.prefix, [row]);
    else rows.push(row);
  }
  return passing;
}

function* matchLeftOfSemi(input: MatchInput, passing: ReadonlyMap<string, readonly Row[]>): Generator<Row, void> {
  const { state, matches, counts } = input;
  for (const row of input.waiting.left) {
    const probe = input.sides.left.probe(row);
    if (hasPartner(row, probe)) {
      yield row;
    } else {
      state.store("left", row, probe, false);
      counts.updated++;
    }
  }

  function hasPartner(row: Row, probe: Probe): boolean {
    if (!probe.comparable) return false;
    for (const { value } of state.right.withPrefix(probe.prefix)) if (matches(row, value.row)) return true;
    return (passing.get(probe.prefix) ?? []).some((right) => matches(row, right));
  }
}
