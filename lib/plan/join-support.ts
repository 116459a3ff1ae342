import type { JoinCondition } from "./join-condition.js";
import type { JoinType, OutputMode } from "./logical-plan.js";

/** Why a join cannot run, in the three parts of a `userError`. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
}

const EVICTED = {
  leftOuter: "left",
  leftSemi: "left",
  rightOuter: "right",
} as const;

const boundRemedy = (side: "left" | "right"): string => {
  const other = side === "left" ? "right" : "left";
  return `Give both sides a watermark and say how long a row of the ${side} waits, as in ${other}.time <= ${side}.time + '10 minutes', or join on equal times or windows.`;
};

/**
 * What a stream–stream join may not be: an outer or semi join whose rows could wait for ever is refused even where Spark
 * accepts it and stays silent (SEMANTICS F12, 0.7). A full outer join needs a bound on one side only, as in Spark.
 */
export function unsupportedJoin(type: JoinType, condition: JoinCondition, outputMode: OutputMode): Refusal | null {
  if (type === "leftAnti") {
    return {
      code: "join-left-anti",
      message: "A left anti join of two streams is not supported.",
      remedy: "Use a left outer join and keep the rows whose right side is null.",
    };
  }
  if (outputMode === "complete" || (outputMode === "update" && type !== "inner" && type !== "leftSemi")) {
    return {
      code: "join-output-mode",
      message: `A ${type} join of two streams cannot run in ${outputMode} mode.`,
      remedy: "Use append mode.",
    };
  }
  if (condition.keys.length === 0) {
    return {
      code: "join-without-equality",
      message: "A join of two streams needs an equality between a column of the left and one of the right.",
      remedy: "Add one to `on`, as in left.id.eq(right.id).",
    };
  }
  return missingBound(type, condition);
}

function missingBound(type: JoinType, { retentionMs }: JoinCondition): Refusal | null {
  if (type === "inner" || type === "leftAnti") return null;
  if (type === "fullOuter") {
    if (retentionMs.left !== null || retentionMs.right !== null) return null;
    return {
      code: "join-unbounded",
      message:
        "Nothing bounds how long rows of the full outer join wait for a partner, so unmatched ones would never come out.",
      remedy: boundRemedy("left"),
    };
  }
  const side = EVICTED[type];
  if (retentionMs[side] !== null) return null;
  const harm = type === "leftSemi" ? "its state would grow for ever" : "unmatched ones would never come out";
  return {
    code: "join-unbounded",
    message: `Nothing bounds how long a ${side} row of the ${type} join waits for a partner, so ${harm}.`,
    remedy: boundRemedy(side),
  };
}

/** A stream joins a fixed table from the left; what could only be known once the stream has ended is refused (F13). */
export function unsupportedStaticJoin(type: JoinType): Refusal | null {
  if (type !== "rightOuter" && type !== "fullOuter") return null;
  return {
    code: "join-static-outer",
    message: `A ${type} join of a stream with a fixed table would have to pad the table's rows, which no row of the stream ever settles.`,
    remedy: "Use an inner, leftOuter, leftSemi or leftAnti join, with the stream on the left.",
  };
}

/** What Spark accepts and a user regrets; for `explain` and the log. */
export function joinWarnings(type: JoinType, { retentionMs }: JoinCondition): readonly string[] {
  const unbounded = (["left", "right"] as const).filter((side) => retentionMs[side] === null);
  return unbounded.map((side) =>
    type === "fullOuter"
      ? `The ${side} side of the fullOuter join is never evicted and its unmatched rows never come out. ${boundRemedy(side)}`
      : `The ${side} side of the ${type} join is never evicted: its state grows for ever. ${boundRemedy(side)}`,
  );
}
