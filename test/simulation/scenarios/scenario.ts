import type { QueryDefinition } from "../../../lib/plan/logical-plan.js";
import type { Row } from "../../../lib/plan/schema.js";
import type { SimRecord, SimRow } from "../stream.js";
import { branches } from "./branches.js";
import { dedup } from "./dedup.js";
import { innerJoin, leftOuterJoin } from "./join.js";
import { joinCounts } from "./join-counts.js";
import { poisonFails, poisonIsMalformed } from "./poison.js";
import { sessions } from "./sessions.js";
import { timeouts } from "./timeouts.js";
import { timers } from "./timers.js";
import { tumbling } from "./tumbling.js";
import { union } from "./union.js";
import { update } from "./update.js";

/** A query, and the same answer in plain loops. */
export interface Scenario {
  readonly name: string;
  readonly watermarks: readonly WatermarkNode[];
  /** Columns that tell its rows apart, for the sink that keeps one item per key. Absent: rows may be equal. */
  readonly key?: readonly string[];
  /** The query has a user function that throws at poison rows until a deploy mends it. Absent: no row is poison. */
  readonly poison?: Poison;
  definition(options: DefinitionOptions): QueryDefinition;
  model(): Model;
  /** A published row as the model writes it. */
  describe(row: Row): string;
}

/** A watermark of the query, and the streams below it. */
export interface WatermarkNode {
  readonly streams: readonly string[];
  readonly delayMs: number;
}

export interface Poison {
  readonly onError: "fail" | "malformed";
  /** Whether the function is called with the row; `before`: the watermark before its batch. */
  reaches(row: SimRow, before: number): boolean;
}

export interface DefinitionOptions {
  readonly across: "auto" | "max";
  readonly inlineLimitBytes: number;
  /** The user's function is not mended yet. */
  readonly broken: boolean;
  /** Every second generation of the code says the same in another order: branches of unions, aggregates. */
  readonly turned: boolean;
}

export interface SeenRow {
  readonly record: SimRecord;
  readonly row: SimRow;
}

export interface Expected {
  readonly result: readonly string[];
  readonly late: readonly SimRecord[];
}

/** Whole rows are kept and folded anew: nothing of the engine's state or of its passes. */
export interface Model {
  /** Rows in committed order; the watermark before and after them. */
  batch(rows: readonly SeenRow[], before: number, after: number): Expected;
}

export const SCENARIOS: readonly Scenario[] = [
  tumbling,
  dedup,
  sessions,
  update,
  poisonFails,
  poisonIsMalformed,
  innerJoin,
  leftOuterJoin,
  joinCounts,
  union,
  branches,
  timeouts,
  timers,
];
