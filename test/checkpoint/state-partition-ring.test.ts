import { describe, expect, it } from "vitest";
import type { CheckpointLog } from "../../lib/checkpoint/checkpoint-log.js";
import { memoryCheckpointLog } from "../../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../../lib/checkpoint/memory-object-store.js";
import { NO_REGISTERS, type Registers } from "../../lib/checkpoint/registers.js";
import type { EntryDraft, StatePartition } from "../../lib/checkpoint/state-partition.js";
import { openStatePartition, type StatePartitionOptions } from "../../lib/checkpoint/state-partition-ring.js";
import type { PublishIdentity } from "../../lib/sinks/sink.js";
import type { TableSpec } from "../../lib/state/state-store.js";

const groups: TableSpec = { operatorId: "agg", table: "groups", locate: "expiry" };
const sides: TableSpec = { operatorId: "join", table: "left", locate: "key", prefixed: true };
const never = () => false;

function world(overrides: Partial<StatePartitionOptions> = {}) {
  let id = 0;
  const clock = { now: 1_700_000_000_000 };
  const now = () => clock.now;
  const requests: string[] = [];
  const log = counted(memoryCheckpointLog(now), requests);
  const objects = memoryObjectStore(now);
  const published: PublishIdentity[] = [];
  const open = (more: Partial<StatePartitionOptions> = {}): StatePartition =>
    openStatePartition({
      log,
      objects,
      now,
      newId: () => `id${++id}`,
      query: "q",
      incarnation: "000000000000001",
      partition: 0,
      generation: 1,
      tables: [groups, sides],
      ...overrides,
      ...more,
    });
  return {
    clock,
    log,
    objects,
    requests,
    published,
    open,
    publisher: async (i: PublishIdentity) => void published.push(i),
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

const draft = (n: number, registers: Partial<Registers> = {}): EntryDraft => ({
  offsets: [{ shard: "s/0", first: { sequence: `${n}`, sub: 0 }, last: { sequence: `${n}`, sub: 0 } }],
  registers: { ...NO_REGISTERS, ...registers },
  lastPassWatermark: n,
  watermark: n + 1,
  outbox: [{ output: "result", sink: "memory", bytes: Uint8Array.of(n) }],
  progress: { batchId: n },
});

/** Row n of 6 keys over windows of 10 minutes: updates, inserts and, from 40 on, evictions. */
async function step(partition: StatePartition, publisher: (i: PublishIdentity) => Promise<void>, n: number) {
  await partition.load();
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
  const outcome = await partition.commit(draft(n), staged, publisher);
  await partition.publish(publisher, never);
  return outcome;
}

const contents = (partition: StatePartition) => ({
  position: { ...partition.position(), offsets: [...partition.position().offsets] },
  groups: [...partition.stage().table(groups).rows()],
  left: [...partition.stage().table(sides).rows()],
  byPrefix: ["p0", "p1", "p2"].map((prefix) => [...partition.stage().table(sides).withPrefix(prefix)]),
});

describe("a state partition over a ring", () => {
  it.each([
    { ringSize: 1 },
    { ringSize: 2 },
    { ringSize: 4, inlineLimitBytes: 0 },
    { ringSize: 8, inlineLimitBytes: 700 },
    {},
  ])(
    "loads cold, at every batch, just what the warm environment holds: $ringSize, $inlineLimitBytes",
    async (options) => {
      const { open, publisher, published } = world(options);
      const warm = open();
      for (let n = 1; n <= 90; n++) {
        expect(await step(warm, publisher, n)).toBe("committed");
        const cold = open();
        expect(await cold.load()).toEqual({ coldStart: true });
        expect(contents(cold)).toEqual(contents(warm));
      }
      expect(published.map((i) => i.batchId)).toEqual(Array.from({ length: 90 }, (_, i) => i + 1));
    },
  );

  it("costs exactly one request per warm commit", async () => {
    const { open, publisher, requests } = world();
    const warm = open();
    await step(warm, publisher, 1);
    requests.length = 0;
    for (let n = 2; n <= 64; n++) await step(warm, publisher, n);
    expect(requests).toEqual(Array.from({ length: 63 }, () => "putSlot"));
  });

  it("writes one snapshot per ring when nothing else asks for one", async () => {
    const { open, publisher, requests } = world({ inlineLimitBytes: 0 });
    const warm = open();
    for (let n = 1; n <= 256; n++) await step(warm, publisher, n);
    expect(requests.filter((r) => r === "movePointer").length).toBeLessThanOrEqual(8);
    expect(requests.filter((r) => r === "readPointer").length).toBe(1);
  });

  it("keeps objects in step with what the pointer and the slots name", async () => {
    const { open, publisher, objects } = world({ ringSize: 8, inlineLimitBytes: 0 });
    const warm = open();
    for (let n = 1; n <= 100; n++) await step(warm, publisher, n);
    let count = 0;
    for await (const _ of objects.list("")) count++;
    // Delta and outbox of 8 slots, one manifest, its runs and segments.
    expect(count).toBeLessThanOrEqual(16 + 1 + 16 + 8);
  });

  it("tells the loser of a race, which then stands on the winner's entry", async () => {
    const { open, publisher } = world();
    const [a, b] = [open(), open()];
    await a.load();
    await b.load();
    expect(await step(a, publisher, 1)).toBe("committed");
    expect(await step(b, publisher, 1)).toBe("conflict");
    expect(contents(b)).toEqual(contents(a));
    expect(await step(b, publisher, 2)).toBe("committed");
  });

  it("publishes what a dead environment committed, and records that it did", async () => {
    const { open, publisher, published, log, requests } = world();
    const dead = open();
    await dead.load();
    await dead.commit(draft(1), dead.stage());
    const next = open();
    await next.load();
    await next.publish(publisher, never);
    expect(published.map((i) => i.batchId)).toEqual([1]);
    expect(await log.readPointer({ incarnation: "000000000000001", partition: 0 })).toMatchObject({
      manifestKey: null,
      publishedThrough: 1,
    });
    requests.length = 0;
    const third = open();
    await third.load();
    await third.publish(publisher, never);
    expect(published).toHaveLength(1);
  });

  it("stops publishing at the deadline, and goes on from there", async () => {
    const { open, publisher, published } = world();
    const dead = open();
    for (const n of [1, 2, 3]) {
      await dead.load();
      expect(await dead.commit(draft(n), dead.stage())).toBe("committed");
    }
    const next = open();
    await next.load();
    await expect(next.publish(publisher, () => published.length === 2)).rejects.toThrow("publish-incomplete");
    const third = open();
    await third.load();
    await third.publish(publisher, never);
    expect(published.map((i) => i.batchId)).toEqual([1, 2, 3]);
  });

  it("refuses a state above maxStateBytes before it commits", async () => {
    const { open, publisher } = world({ maxStateBytes: 50 });
    const partition = open();
    await expect(step(partition, publisher, 1)).rejects.toThrow("state-too-large");
    expect(partition.position().version).toBe(0);
  });

  it("keeps the progress of the entries in the ring, oldest first", async () => {
    const { open, publisher } = world({ ringSize: 4 });
    const partition = open();
    for (let n = 1; n <= 6; n++) await step(partition, publisher, n);
    expect(await partition.recentProgress()).toEqual([3, 4, 5, 6].map((batchId) => ({ batchId })));
  });

  it("writes nothing more once it has met newer code", async () => {
    const { open, publisher } = world();
    const old = open();
    await step(old, publisher, 1);
    await step(open({ generation: 2 }), publisher, 2);
    await expect(step(old, publisher, 2)).rejects.toThrow("superseded");
    await expect(old.load()).rejects.toThrow("superseded");
    await expect(open().load()).rejects.toThrow("superseded");
  });
});
