import type { StatefulOperator } from "../../lib/operators/operator.js";
import type { Row } from "../../lib/plan/schema.js";
import { NO_WATERMARK } from "../../lib/time/event-time.js";
import { operatorHarness, type PassOutcome } from "./operator-harness.js";

export interface StreamOptions {
  readonly delayMs: number;
  /** Event time of a source row. */
  readonly timeOf: (row: Row) => number | null;
  /** Whether a moved watermark is followed by a pass without data; true by default. */
  readonly settle?: boolean;
}

export interface BatchOutcome {
  /** Of all passes, of the last operator. */
  readonly output: readonly Row[];
  /** Of the data pass, first operator first. */
  readonly data: readonly PassOutcome[];
  /** Of the last pass, first operator first. */
  readonly last: readonly PassOutcome[];
}

/** Micro-batches through a chain of operators that pass the watermark on unchanged: data pass, then the follow-up (SEMANTICS A1, A2, A9, H2). */
export function operatorStream(operators: readonly StatefulOperator[], options: StreamOptions) {
  const runs = operators.map((operator) => operatorHarness(operator));
  let lastPass = NO_WATERMARK;
  let watermark = NO_WATERMARK;

  function pass(rows: readonly Row[]): PassOutcome[] {
    let input = rows;
    const outcomes = runs.map((run) => {
      const outcome = run({ rows: input, late: lastPass, evict: watermark });
      input = outcome.output;
      return outcome;
    });
    lastPass = watermark;
    return outcomes;
  }

  return {
    get watermark() {
      return watermark;
    },
    add(rows: readonly Row[]): BatchOutcome {
      const data = pass(rows);
      for (const row of rows) {
        const time = options.timeOf(row);
        if (time !== null) watermark = Math.max(watermark, Math.floor(time) - options.delayMs);
      }
      const wanted = operators.some((operator) => operator.wantsNoDataPass) && options.settle !== false;
      const last = wanted && watermark > lastPass ? pass([]) : data;
      const output = [data, ...(last === data ? [] : [last])].flatMap((outcomes) => outcomes.at(-1)!.output);
      return { output, data, last };
    },
  };
}
