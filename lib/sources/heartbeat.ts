import { Buffer } from "node:buffer";
import type { EventTime } from "../time/event-time.js";
import { parseIsoTimestamp } from "../time/iso-timestamp.js";
import type { Payload } from "./source.js";

const PREFIX = '{"tidemark:heartbeat":"';
const SUFFIX = '"}';
const MAX_BYTES = 80;

/** The reserved record that advances the watermark on purpose; one per shard, by explicit hash key. `time` is an ISO 8601 instant. */
export const heartbeatPayload = (time: string): Uint8Array => Buffer.from(`${PREFIX}${time}${SUFFIX}`, "utf8");

/** Whole groups of three bytes: what any heartbeat's base64 begins with. */
const PREFIX_BASE64 = Buffer.from(PREFIX.slice(0, 21)).toString("base64");

/** As `heartbeatTime`, without decoding a payload that cannot be one. */
export const heartbeatOf = (payload: Payload): EventTime | null => {
  const { base64, place } = payload;
  if (base64 !== undefined && !base64.startsWith(PREFIX_BASE64)) return null;
  if (place !== undefined && place.text.bytes[place.start + 10] !== COLON) return null;
  return heartbeatTime(payload.data);
};

/** What stands in the middle of the prefix, where a name of another length has none. */
const COLON = 0x3a;

/** The event time that a heartbeat asserts; null for every other payload, at the cost of two byte comparisons. */
export function heartbeatTime(payload: Uint8Array): EventTime | null {
  if (payload[0] !== 0x7b || payload[2] !== 0x74 || payload[10] !== 0x3a || payload.byteLength > MAX_BYTES) return null;
  const text = Buffer.from(payload).toString("latin1");
  if (!text.startsWith(PREFIX) || !text.endsWith(SUFFIX)) return null;
  const time = parseIsoTimestamp(text.slice(PREFIX.length, -SUFFIX.length));
  return Number.isNaN(time) ? null : time;
}
