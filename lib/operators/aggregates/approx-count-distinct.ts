import { userError } from "../../errors.js";
import type { DataType } from "../../plan/schema.js";
import { encodeKey } from "../../state/key-codec.js";
import type { Reader } from "../evaluate/reader.js";
import type { AggregateFunction } from "./aggregate-function.js";
import { addHash, estimate, hash52, mergeSketches, type Sketch } from "./hyper-log-log.js";

const DEFAULT_PRECISION = 12;

/** State is bounded: at most 2^precision bytes in a group. `options.precision` 4 to 16. */
export function approxCountDistinctAggregate(
  value: Reader,
  type: DataType,
  options: Readonly<Record<string, unknown>> = {},
): AggregateFunction {
  const precision = Number(options["precision"] ?? DEFAULT_PRECISION);
  if (!Number.isInteger(precision) || precision < 4 || precision > 16) {
    throw userError(
      "sketch-precision",
      `A precision of ${precision} is out of range.`,
      "Give a whole number from 4 to 16; 12 errs by 1.6 %.",
    );
  }
  const types = [type];
  return {
    slots: 1,
    init: (state, at) => {
      state[at] = [];
    },
    open: (state, at) => {
      state[at] = (state[at] as Sketch).slice();
    },
    over(batch) {
      const valueAt = value(batch);
      return (state, at, row) => {
        const next = valueAt(row);
        if (next !== null) state[at] = addHash(state[at] as Sketch, hash52(encodeKey([next], types)), precision);
      };
    },
    merge: (state, at, other) => {
      state[at] = mergeSketches(state[at] as Sketch, other[at] as Sketch, precision);
    },
    finish: (state, at) => estimate(state[at] as Sketch),
  };
}
