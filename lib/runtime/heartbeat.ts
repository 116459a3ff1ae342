import type { EventTime } from "../time/event-time.js";

/**
 * A heartbeat is a record that advances the watermark on purpose and is no row: one per shard, sent by explicit hash key.
 * Its payload is reserved: `{"tidemark":"heartbeat","eventTime":<epoch ms>}`.
 */
export const heartbeatPayload = (eventTime: EventTime): Uint8Array =>
  new TextEncoder().encode(`${PREFIX}${eventTime}}`);

const PREFIX = '{"tidemark":"heartbeat","eventTime":';
const PREFIX_BYTES = new TextEncoder().encode(PREFIX);

/** The event time that a heartbeat carries; null for every other payload. Costs one byte comparison for most of them. */
export function readHeartbeat(payload: Uint8Array): EventTime | null {
  if (payload.length <= PREFIX_BYTES.length) return null;
  for (let i = 0; i < PREFIX_BYTES.length; i++) if (payload[i] !== PREFIX_BYTES[i]) return null;
  const text = new TextDecoder().decode(payload.subarray(PREFIX_BYTES.length));
  const match = /^(-?\d+(?:\.\d+)?)\}\s*$/.exec(text);
  return match === null ? null : Number(match[1]);
}
