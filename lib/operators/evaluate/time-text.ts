import { type EventTime, isInstant } from "../../time/event-time.js";
import { compileTimestampFormat } from "../../time/format-pattern.js";
import { instantOf, readingOf, requireZone, type TimeZone, UTC } from "../../time/time-zone.js";
import { timestampReader } from "../../time/timestamp-reader.js";
import { type Call, type CallCompiler, unary } from "./apply.js";
import { seconds, toEventTime } from "./cast.js";
import { castFailed } from "./cast-failed.js";

/** Spark's pattern where a function is given none. */
const DEFAULT_PATTERN = "yyyy-MM-dd HH:mm:ss";

const zoneOf = ({ options }: Call): TimeZone =>
  options?.["timeZone"] === undefined ? UTC : requireZone(String(options["timeZone"]));

const formatOf = ({ options }: Call): string | undefined => options?.["format"] as string | undefined;

/** Text by the pattern, or by the rules of the cast; a timestamp is one already. Undefined: it is no time. */
function reader(call: Call, format = formatOf(call)): (value: unknown) => EventTime | undefined {
  const ofText = timestampReader({
    ...(format === undefined ? {} : { format }),
    ...(call.options?.["timeZone"] === undefined ? {} : { timeZone: String(call.options["timeZone"]) }),
  });
  return (value) => (typeof value === "string" ? ofText(value) : isTime(value) ? toEventTime(value) : undefined);
}

const isTime = (value: unknown): boolean => (typeof value === "number" && isInstant(value)) || value instanceof Date;

/** Between text and time: by Spark's names, and by its pattern letters. */
export const compileTimeText: CallCompiler = (call, scope) => {
  switch (call.fn) {
    case "toTimestamp": {
      const read = reader(call);
      return unary(call, scope, (value: unknown) => read(value) ?? failed(value));
    }
    case "tryToTimestamp": {
      const read = reader(call);
      return unary(call, scope, (value: unknown) => read(value) ?? null);
    }
    case "unixTimestamp": {
      const read = reader(call, formatOf(call) ?? DEFAULT_PATTERN);
      return unary(call, scope, (value: unknown) => Math.trunc((read(value) ?? failed(value)) / 1000) + 0);
    }
    case "fromUnixtime": {
      const write = compileTimestampFormat(formatOf(call) ?? DEFAULT_PATTERN, zoneOf(call));
      return unary(call, scope, (value: number | bigint) => write(seconds(value)));
    }
    case "fromUtcTimestamp": {
      const zone = zoneOf(call);
      return unary(call, scope, (time: unknown) => inZone(toEventTime(time), zone, readingOf));
    }
    case "toUtcTimestamp": {
      const zone = zoneOf(call);
      return unary(call, scope, (time: unknown) => inZone(toEventTime(time), zone, instantOf));
    }
    default: {
      const write = compileTimestampFormat(formatOf(call) ?? DEFAULT_PATTERN, zoneOf(call));
      return unary(call, scope, (time: unknown) => write(toEventTime(time)));
    }
  }
};

/** Zones shift whole milliseconds; what is below stays as it is. */
function inZone(time: EventTime, zone: TimeZone, shift: (ms: number, zone: TimeZone) => number): EventTime {
  const ms = Math.floor(time);
  return toEventTime(shift(ms, zone) + (time - ms));
}

const failed = (value: unknown): never => {
  throw castFailed(value, "timestamp");
};
