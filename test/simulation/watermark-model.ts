import type { Registers } from "../../lib/checkpoint/registers.js";
import type { WatermarkNode } from "./scenarios/scenario.js";
import type { SimRecord } from "./stream.js";

/** The watermark from all records that were read, kept whole; `rejected`: those of which no row came by. */
export interface WatermarkModel {
  after(rejected: ReadonlySet<SimRecord>, registers: Registers, consumed: ReadonlySet<SimRecord>): number;
}

const timeOf = ({ content }: SimRecord): number | null =>
  "row" in content ? content.row.t : "heartbeat" in content ? content.heartbeat : null;

/**
 * Per node: `max`: the highest event time read, less the delay; `auto`: the highest of those that arrived by the time up to which the
 * slowest live shard of its streams was read, as the registers tell it. Of several nodes the lowest, once all of them have one.
 */
export function newWatermarkModel(across: "auto" | "max", nodes: readonly WatermarkNode[]): WatermarkModel {
  const marks = nodes.map(() => Number.NEGATIVE_INFINITY);
  return {
    after(rejected, registers, consumed) {
      for (const [at, { streams, delayMs }] of nodes.entries()) {
        const read = [...consumed].filter(({ stream }) => streams.includes(stream));
        const horizon =
          across === "max"
            ? Number.POSITIVE_INFINITY
            : Math.min(...streams.map((stream) => horizonOf(registers, stream, read)));
        for (const record of read) {
          const time = timeOf(record);
          if (time !== null && record.arrival <= horizon && !rejected.has(record))
            marks[at] = Math.max(marks[at]!, time - delayMs);
        }
      }
      return Math.min(...marks);
    },
  };
}

function horizonOf({ shardList, perShard }: Registers, source: string, read: readonly SimRecord[]): number {
  const list = shardList[source];
  if (list === undefined) return Number.NEGATIVE_INFINITY;
  const wasRead = new Set(read.filter(({ stream }) => stream === source).map(({ shard }) => shard));
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
