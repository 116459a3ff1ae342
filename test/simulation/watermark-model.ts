import type { Registers } from "../../lib/checkpoint/registers.js";
import type { SimRecord } from "./stream.js";

/** The watermark from all records that were read, kept whole; `rejected`: those of which no row came by. */
export interface WatermarkModel {
  after(rejected: ReadonlySet<SimRecord>, registers: Registers, consumed: ReadonlySet<SimRecord>): number;
}

const timeOf = ({ content }: SimRecord): number | null =>
  "row" in content ? content.row.t : "heartbeat" in content ? content.heartbeat : null;

/**
 * Per stream: `max`: the highest event time read, less the stream's delay; `auto`: the highest of those that arrived by the time up to
 * which the slowest live shard was read, as the registers tell it. Of several streams the lowest, once all of them have one.
 */
export function newWatermarkModel(across: "auto" | "max", delaysMs: Readonly<Record<string, number>>): WatermarkModel {
  const ofStream = new Map(Object.keys(delaysMs).map((stream) => [stream, Number.NEGATIVE_INFINITY]));
  return {
    after(rejected, registers, consumed) {
      for (const [stream, delayMs] of Object.entries(delaysMs)) {
        const read = [...consumed].filter((record) => record.stream === stream);
        const horizon = across === "max" ? Number.POSITIVE_INFINITY : horizonOf(registers, stream, read);
        let watermark = ofStream.get(stream)!;
        for (const record of read) {
          const time = timeOf(record);
          if (time !== null && record.arrival <= horizon && !rejected.has(record))
            watermark = Math.max(watermark, time - delayMs);
        }
        ofStream.set(stream, watermark);
      }
      return Math.min(...ofStream.values());
    },
  };
}

function horizonOf({ shardList, perShard }: Registers, source: string, read: readonly SimRecord[]): number {
  const list = shardList[source] ?? [];
  const wasRead = new Set(read.map(({ shard }) => shard));
  const readThrough = (shard: string): number => {
    const register = perShard[`${source}/${shard}`];
    if (register !== undefined) return register.readThrough;
    const parents = list.find((info) => info.shard === shard)?.parents ?? [];
    const listed = parents.filter((parent) => list.some((info) => info.shard === parent));
    return listed.length === 0 ? Number.NEGATIVE_INFINITY : Math.min(...listed.map(readThrough));
  };
  let horizon = Number.POSITIVE_INFINITY;
  for (const { shard, drained } of list) {
    const hasReadChild = list.some((child) => child.parents.includes(shard) && wasRead.has(child.shard));
    if (drained !== true && !hasReadChild) horizon = Math.min(horizon, readThrough(shard));
  }
  return horizon;
}
