import type { CheckpointLog } from "../../lib/checkpoint/checkpoint-log.js";
import { memoryCheckpointLog } from "../../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../../lib/checkpoint/memory-object-store.js";
import { NO_REGISTERS, type Registers } from "../../lib/checkpoint/registers.js";
import type { EntryDraft, StatePartition } from "../../lib/checkpoint/state-partition.js";
import { openStatePartition, type StatePartitionOptions } from "../../lib/checkpoint/state-partition-ring.js";
import type { PublishIdentity } from "../../lib/sinks/sink.js";
import type { TableSpec } from "../../lib/state/state-store.js";

export const groups: TableSpec = { operatorId: "agg", table: "groups", locate: "expiry" };
export const sides: TableSpec = { operatorId: "join", table: "left", locate: "key", prefixed: true };
export const never = () => false;
export const AT = { incarnation: "000000000000001", partition: 0 };

/** Ports in memory, environments over them, and what the sink got. */
export function testWorld(overrides: Partial<StatePartitionOptions> = {}) {
  let id = 0;
  const clock = { now: 1_700_000_000_000 };
  const now = () => clock.now;
  const requests: string[] = [];
  const log = counted(memoryCheckpointLog(now), requests);
  const objects = memoryObjectStore(now);
  const published: PublishIdentity[] = [];
  const newId = () => `id${++id}`;
  const options = { log, objects, now, newId, query: "q", ...AT, generation: 1, tables: [groups, sides], ...overrides };
  return {
    clock,
    log,
    objects,
    requests,
    published,
    newId,
    open: (more: Partial<StatePartitionOptions> = {}): StatePartition => openStatePartition({ ...options, ...more }),
    publisher: async (identity: PublishIdentity) => void published.push(identity),
    async keys(): Promise<string[]> {
      const keys: string[] = [];
      for await (const { key } of objects.list("")) keys.push(key);
      return keys;
    },
  };
}

function counted(log: CheckpointLog, requests: string[]): CheckpointLog {
  return new Proxy(log, {
    get(target, name: keyof CheckpointLog) {
      const method = target[name] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        requests.push(name);
        return method.apply(target, args);
      };
    },
  });
}

export const draft = (n: number, registers: Partial<Registers> = {}): EntryDraft => ({
  offsets: [{ shard: "s/0", first: { sequence: `${n}`, sub: 0 }, last: { sequence: `${n}`, sub: 0 } }],
  registers: { ...NO_REGISTERS, ...registers },
  lastPassWatermark: n,
  watermark: n + 1,
  outbox: [{ output: "result", sink: "memory", bytes: Uint8Array.of(n) }],
  progress: { batchId: n },
});

/** Row n of 6 keys over windows of 10 minutes: updates, inserts and, from 40 on, evictions; and a side that moves, leaves and expires. */
export function change(partition: StatePartition, n: number) {
  const staged = partition.stage();
  const table = staged.table<number[]>(groups);
  const expiry = Math.floor(n / 10) * 600_000_000;
  const before = table.get(`k${n % 6}`, expiry);
  table.put(`k${n % 6}`, [(before?.[0] ?? 0) + 1, n], expiry);
  if (n >= 40) table.expireThrough(Math.floor((n - 40) / 10) * 600_000_000);
  const left = staged.table<{ n: number }>(sides);
  left.put(`p${n % 3}\u0000${n % 12}`, { n }, n * 300_000_000);
  if (n % 5 === 0) left.remove(`p${n % 3}\u0000${(n + 3) % 12}`);
  if (n % 7 === 0) left.expireThrough((n - 8) * 300_000_000);
  return staged;
}

export async function step(
  partition: StatePartition,
  publisher: (identity: PublishIdentity) => Promise<void>,
  n: number,
  registers: Partial<Registers> = {},
) {
  await partition.load();
  const outcome = await partition.commit(draft(n, registers), change(partition, n), publisher);
  await partition.publish(publisher, never);
  return outcome;
}

/** All that a load gives back. */
export const contents = (partition: StatePartition) => ({
  position: { ...partition.position(), offsets: [...partition.position().offsets] },
  groups: [...partition.stage().table(groups).rows()],
  left: [...partition.stage().table(sides).rows()],
  byPrefix: ["p0", "p1", "p2"].map((prefix) => [...partition.stage().table(sides).withPrefix(prefix)]),
});
