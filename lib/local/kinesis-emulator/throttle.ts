import type { Shard } from "./shard.js";

interface Second {
  start: number;
  records: number;
  bytes: number;
  reads: number;
}

/** The limits of a provisioned shard, counted in seconds that begin with a shard's first call. */
const LIMIT = { records: 1000, bytes: 1 << 20, reads: 5 };

export function createThrottle(enabled: boolean, now: () => number) {
  const seconds = new WeakMap<Shard, Second>();
  const current = (shard: Shard): Second => {
    const known = seconds.get(shard);
    if (known && now() - known.start < 1000) return known;
    const fresh = { start: now(), records: 0, bytes: 0, reads: 0 };
    seconds.set(shard, fresh);
    return fresh;
  };
  return {
    admitWrite(shard: Shard, bytes: number): boolean {
      if (!enabled) return true;
      const second = current(shard);
      if (second.records + 1 > LIMIT.records || second.bytes + bytes > LIMIT.bytes) return false;
      second.records += 1;
      second.bytes += bytes;
      return true;
    },
    admitRead(shard: Shard): boolean {
      if (!enabled) return true;
      const second = current(shard);
      second.reads += 1;
      return second.reads <= LIMIT.reads;
    },
  };
}
