import type { Choices } from "./choices.js";
import { type SimRecord, type SimShard, type SimStream, wholeRecords } from "./stream.js";

/** What an invocation is for. */
export interface Job {
  readonly kind: "records" | "tick" | "drain";
  readonly records: readonly SimRecord[];
  readonly shard: SimShard | null;
}

export const TICK: Job = { kind: "tick", records: [], shard: null };

/**
 * Lambda's event source mapping, parallelization factor 1: per shard in order at first delivery; again after a failure or for no
 * reason, under other boundaries; children after their parents.
 */
export interface Mapping {
  /** A shard that has something to deliver, or may repeat something; null: none. */
  next(choices: Choices): Job | null;
  /** At least once: something long done comes again, whatever runs beside it; null: nothing is done yet. */
  repeat(choices: Choices): Job | null;
  /** All that is left, by shard. */
  rest(): readonly Job[];
  begin(job: Job): number;
  /** Its answer comes or it is given up; `through`: how many records of it are done with. */
  end(token: number, job: Job, done: number): void;
  caughtUp(): boolean;
}

export interface MappingOptions {
  readonly outOfOrder: boolean;
  /** Records per delivery at most. */
  readonly pieces: number;
}

interface ShardPlace {
  /** Everything before this index is done with. */
  acknowledged: number;
  /** Out of order: done with, above `acknowledged`. */
  readonly ahead: Set<number>;
  running: number | null;
}

export function newMapping(stream: SimStream, { outOfOrder, pieces }: MappingOptions): Mapping {
  const places = new Map<SimShard, ShardPlace>();
  let tokens = 0;
  const placeOf = (shard: SimShard): ShardPlace => {
    const place = places.get(shard) ?? { acknowledged: 0, ahead: new Set<number>(), running: null };
    places.set(shard, place);
    return place;
  };
  const isDone = (shard: SimShard) => placeOf(shard).acknowledged === shard.records.length;
  const parentsDone = (child: SimShard) =>
    stream.shards.every(
      (shard) =>
        shard.stream !== child.stream || !child.parents.includes(shard.name) || (shard.closed && isDone(shard)),
    );
  const free = (shard: SimShard) => placeOf(shard).running === null && parentsDone(shard);

  const repeat = (choices: Choices): Job | null => {
    const repeatable = stream.shards.filter((shard) => placeOf(shard).acknowledged > 0 && parentsDone(shard));
    if (repeatable.length === 0) return null;
    const shard = repeatable[choices.pick(repeatable.length)]!;
    const first = choices.pick(placeOf(shard).acknowledged);
    return recordsJob(shard, first, first + 1 + choices.pick(4));
  };

  return {
    repeat,
    next(choices) {
      const waiting = stream.shards.filter((shard) => free(shard) && !isDone(shard));
      const repeated = choices.chance(waiting.length === 0 ? 0.3 : 0.1) ? repeat(choices) : null;
      if (repeated !== null) return repeated;
      if (waiting.length === 0) return null;
      const shard = waiting[choices.pick(waiting.length)]!;
      const { acknowledged } = placeOf(shard);
      const skipped = outOfOrder && choices.chance(0.3) ? choices.pick(6) : 0;
      const first = Math.min(acknowledged + skipped, shard.records.length - 1);
      return recordsJob(shard, first, first + 1 + choices.pick(pieces));
    },
    rest: () =>
      stream.shards
        .filter((shard) => parentsDone(shard) && !isDone(shard))
        .map((shard) => recordsJob(shard, placeOf(shard).acknowledged, shard.records.length)),
    begin(job) {
      tokens++;
      if (job.shard !== null) placeOf(job.shard).running ??= tokens;
      return tokens;
    },
    end(token, { shard, records }, done) {
      if (shard === null) return;
      const place = placeOf(shard);
      if (place.running === token) place.running = null;
      const first = shard.records.indexOf(records[0]!);
      for (let at = first; at < first + done; at++) if (at >= place.acknowledged) place.ahead.add(at);
      while (place.ahead.delete(place.acknowledged)) place.acknowledged++;
    },
    caughtUp: () => stream.shards.every(isDone),
  };
}

const recordsJob = (shard: SimShard, first: number, end: number): Job => ({
  kind: "records",
  shard,
  records: wholeRecords(shard.records, first, end),
});
