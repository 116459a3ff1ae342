import fc from "fast-check";
import type { MemoryShard } from "../../lib/sources/memory-shard-lister.js";

export const SECOND = 1_000;

interface Arrived {
  readonly t: number;
  readonly arrival: number;
}

export interface HistoricShard {
  readonly name: string;
  readonly parents: readonly string[];
  readonly opened: number;
  readonly closed: number;
  readonly records: readonly Arrived[];
}

const records = fc.array(fc.record({ t: fc.nat({ max: 200 }), wait: fc.nat({ max: 10 }) }), { maxLength: 6 });

/** What arrived in the five shards of a `family`. */
export const shardRecords = fc.tuple(records, records, records, records, records);

type ShardRecords = typeof shardRecords extends fc.Arbitrary<infer T> ? T : never;

export const START = 1_000 * SECOND;

/** `p` splits into `l` and `r`, which merge into `m`; `q` stands beside them. */
export function family([p, l, r, m, q]: ShardRecords): readonly HistoricShard[] {
  const shard = (name: string, parents: readonly HistoricShard[], given: typeof p): HistoricShard => {
    const opened = Math.max(START, ...parents.map(({ closed }) => closed));
    let arrival = opened;
    const arrived = given.map(({ t, wait }) => {
      arrival += wait * SECOND;
      return { t: t * SECOND, arrival };
    });
    return { name, parents: parents.map((parent) => parent.name), opened, closed: arrival + SECOND, records: arrived };
  };
  const root = shard("p", [], p);
  const [left, right] = [shard("l", [root], l), shard("r", [root], r)];
  const merged = { ...shard("m", [left, right], m), closed: Number.POSITIVE_INFINITY };
  return [root, left, right, merged, { ...shard("q", [], q), closed: Number.POSITIVE_INFINITY }];
}

/** As the stream lists them at an instant. */
export const listedAt = (all: readonly HistoricShard[], now: number): readonly MemoryShard[] =>
  all
    .filter(({ opened }) => opened <= now)
    .map(({ name, parents, closed, records: arrived }) => ({
      shard: name,
      parents,
      closed: closed <= now,
      sequences: arrived.flatMap(({ arrival }, at) => (arrival <= now ? [String(at + 1)] : [])),
    }));

/** Lambda reads them before. */
export const ancestors = (all: readonly HistoricShard[], shard: HistoricShard): readonly string[] =>
  shard.parents.flatMap((name) => [name, ...ancestors(all, all.find((other) => other.name === name)!)]);
