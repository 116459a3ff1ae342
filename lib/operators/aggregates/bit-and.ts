import type { Reader } from "../evaluate/reader.js";
import { longValue } from "../integers.js";
import type { AggregateFunction } from "./aggregate-function.js";
import { foldAggregate } from "./fold.js";

/** In two's complement of 64 bits, as Spark's bit_and. */
export const bitAndAggregate = (value: Reader): AggregateFunction =>
  foldAggregate(value, (bits, next) => longValue(BigInt(bits as number | bigint) & BigInt(next as number | bigint)));
