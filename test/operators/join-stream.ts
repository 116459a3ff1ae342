import { rowBatch } from "../../lib/columns/column-batch.js";
import { type JoinSpec, joinOperator } from "../../lib/operators/join.js";
import type { LateRow, OperatorMetrics } from "../../lib/operators/operator.js";
import type { Expression } from "../../lib/plan/expression.js";
import { analyseJoin } from "../../lib/plan/join-condition.js";
import type { Row, Schema } from "../../lib/plan/schema.js";
import { memoryState } from "../../lib/state/staged-state.js";

export const schemaOf = (side: "l" | "r"): Schema => ({
  fields: [
    { name: `${side}t`, type: "timestamp", nullable: true },
    { name: `${side}k`, type: "string", nullable: true },
    { name: `${side}v`, type: "long", nullable: true },
  ],
});

export interface JoinStreamOptions {
  readonly type: JoinSpec["type"];
  readonly on: Expression;
  readonly delaySeconds?: number;
  /** Without it no pass follows the data pass, as with no-data batches off. */
  readonly settle?: boolean;
  readonly watermarked?: { readonly left: boolean; readonly right: boolean };
}

export interface PassReport {
  readonly rows: readonly Row[];
  readonly late: readonly LateRow[];
  readonly metrics: OperatorMetrics;
}

/** `[seconds, key, value]` */
export type Tuple = readonly [number | null, string | null, (number | null)?];

const rowsOf = (side: "l" | "r", tuples: readonly Tuple[]): Row[] =>
  tuples.map(([time, key, value]) => ({
    [`${side}t`]: time === null ? null : Math.round(time * 1000),
    [`${side}k`]: key,
    [`${side}v`]: value ?? null,
  }));

/**
 * A join with the watermark of its two sides (policy min) around it, one step per micro-batch; implicit filters are not applied,
 * they are the planner's. Steps report seconds, NULL as null.
 */
export function joinStream(options: JoinStreamOptions) {
  const { type, on, delaySeconds = 0, settle = true, watermarked = { left: true, right: true } } = options;
  const left = schemaOf("l");
  const right = schemaOf("r");
  const time = { left: { name: "lt", type: "timestamp" }, right: { name: "rt", type: "timestamp" } } as const;
  const condition = analyseJoin(
    type,
    on,
    { schema: left, eventTime: watermarked.left ? time.left : undefined },
    { schema: right, eventTime: watermarked.right ? time.right : undefined },
  );
  const operator = joinOperator({
    operatorId: "j",
    type,
    condition,
    left: { schema: left, eventTime: watermarked.left ? time.left : null },
    right: { schema: right, eventTime: watermarked.right ? time.right : null },
  });
  const state = memoryState();
  const highest = { l: -1e15, r: -1e15 };
  let watermark = 0;
  let lastPassWatermark = 0;

  function pass(evict: number, leftRows: readonly Row[], rightRows: readonly Row[]): PassReport {
    const staged = state.stage();
    const late: LateRow[] = [];
    operator.beginPass({
      watermarkForLateEvents: lastPassWatermark,
      watermarkForEviction: evict,
      processingTime: 0,
      state: staged,
      late: (row) => void late.push(row),
      withoutTime: () => {
        throw new Error("A join knows no rows without time.");
      },
    });
    for (const row of rightRows) operator.process(rowBatch([row]), 1);
    if (leftRows.length > 0) operator.process(rowBatch(leftRows), 0);
    const rows = [...operator.endPass()].flatMap((batch) => batch.rows());
    state.commit(staged);
    lastPassWatermark = evict;
    return { rows, late, metrics: operator.metrics() };
  }

  const observe = (side: "l" | "r", rows: readonly Row[]) => {
    for (const row of rows) highest[side] = Math.max(highest[side], (row[`${side}t`] as number | null) ?? 0);
  };

  return {
    condition,
    operator,
    get watermark() {
      return watermark / 1000;
    },
    /** The data pass and, when the watermark moved and the join wants it, the pass that follows. */
    add(input: { left?: readonly Tuple[]; right?: readonly Tuple[] }): readonly PassReport[] {
      const rows = { left: rowsOf("l", input.left ?? []), right: rowsOf("r", input.right ?? []) };
      const reports = [pass(watermark, rows.left, rows.right)];
      observe("l", rows.left);
      observe("r", rows.right);
      watermark = Math.max(watermark, Math.min(highest.l, highest.r) - delaySeconds * 1000);
      if (settle && operator.wantsNoDataPass && watermark > lastPassWatermark) reports.push(pass(watermark, [], []));
      return reports;
    },
    pass: (evictSeconds: number) => pass(evictSeconds * 1000, [], []),
  };
}

/** `[left time, left value, right time, right value]` in seconds; a semi join's rows have no right. */
export const pairs = (reports: readonly PassReport[]): readonly (readonly unknown[])[] =>
  reports
    .flatMap(({ rows }) => rows)
    .map((row) => ("rk" in row ? [at(row["lt"]), row["lk"], at(row["rt"]), row["rk"]] : [at(row["lt"]), row["lk"]]));

const at = (ms: unknown): unknown => (typeof ms === "number" ? ms / 1000 : ms);
