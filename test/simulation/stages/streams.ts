/** A record of either stream. */
export interface StreamRecord {
  readonly sequence: string;
  readonly arrival: number;
  readonly data: Uint8Array;
}

/** A shard of either stream, as Kinesis keeps it: records in the order of their numbers, parents before children. */
export interface StreamShard {
  readonly name: string;
  readonly parents: readonly string[];
  readonly records: StreamRecord[];
  /** Of the hash keys, in [0, 1). */
  readonly from: number;
  readonly to: number;
  closed: boolean;
  /** The stream's lists name it no more. */
  forgotten: boolean;
  /** Everything before this index is done with. */
  acknowledged: number;
  running: boolean;
}

export interface SimStream {
  readonly shards: StreamShard[];
  open(): readonly StreamShard[];
  put(hash: number, data: Uint8Array): StreamRecord & { readonly shard: string };
  split(shard: StreamShard): void;
  merge(left: StreamShard, right: StreamShard): void;
  /** Lambda finishes a parent before its children. */
  deliverable(): readonly StreamShard[];
  caughtUp(): boolean;
}

export function newStream(count: number, now: () => number): SimStream {
  let names = 0;
  let sequences = 0;
  const shard = (from: number, to: number, parents: readonly string[]): StreamShard => ({
    name: `shard-${String(names++).padStart(4, "0")}`,
    parents,
    records: [],
    from,
    to,
    closed: false,
    forgotten: false,
    acknowledged: 0,
    running: false,
  });
  const shards = Array.from({ length: count }, (_, at) => shard(at / count, (at + 1) / count, []));
  const isDone = ({ records, acknowledged }: StreamShard) => acknowledged === records.length;
  const parentsDone = ({ parents }: StreamShard): boolean =>
    shards.every((other) => !parents.includes(other.name) || (other.closed && isDone(other) && parentsDone(other)));
  return {
    shards,
    open: () => shards.filter(({ closed }) => !closed),
    put(hash, data) {
      const target = shards.find(({ closed, from, to }) => !closed && from <= hash && hash < to)!;
      const record = { sequence: String(++sequences), arrival: now(), data, shard: target.name };
      target.records.push(record);
      return record;
    },
    split(parent) {
      parent.closed = true;
      const middle = (parent.from + parent.to) / 2;
      shards.push(shard(parent.from, middle, [parent.name]), shard(middle, parent.to, [parent.name]));
    },
    merge(left, right) {
      left.closed = true;
      right.closed = true;
      shards.push(shard(left.from, right.to, [left.name, right.name]));
    },
    deliverable: () => shards.filter((each) => !each.running && parentsDone(each)),
    caughtUp: () => shards.every(isDone),
  };
}
