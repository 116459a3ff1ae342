import type { Reader } from "../evaluate/reader.js";
import { compareValues } from "../ordering.js";
import type { AggregateFunction } from "./aggregate-function.js";
import { foldAggregate } from "./fold.js";

/** min (`sign` -1) and max (`sign` 1); strings compare by UTF-8 bytes (SEMANTICS C7). */
export const extremeAggregate = (value: Reader, sign: -1 | 1): AggregateFunction =>
  foldAggregate(value, (best, next) => (compareValues(next, best) * sign > 0 ? next : best));
