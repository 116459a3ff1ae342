import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type EventTime, toMicros } from "../../lib/time/event-time.js";

/** A table that Spark 4.3 filled (`test/vendor/spark-values/record.py`). */
export const sparkValues = <Row>(name: string): readonly Row[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../vendor/spark-values/${name}.json`), "utf8"));

/** As the tables hold a timestamp: epoch microseconds in digits, null where there is none. */
export const microsText = (time: EventTime | undefined | null): string | null =>
  time === undefined || time === null || Number.isNaN(time) ? null : String(toMicros(time));

/** Years that there are in Spark alone, and microseconds that a double of milliseconds cannot hold: refused. */
export const beyondOurs = (micros: string | null): boolean => {
  if (micros === null) return false;
  const value = BigInt(micros);
  const tooFine = (value > 2n ** 43n * 1000n || value < -(2n ** 43n) * 1000n) && value % 1000n !== 0n;
  return value < -62_135_596_800_000_000n || value > 253_402_300_799_999_999n || tooFine;
};
