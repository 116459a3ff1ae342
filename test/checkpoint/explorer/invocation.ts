import { expect } from "vitest";
import { isConsumed, NO_OFFSETS } from "../../../lib/checkpoint/offsets.js";
import { NO_REGISTERS } from "../../../lib/checkpoint/registers.js";
import type { StagedState, StatePartition } from "../../../lib/checkpoint/state-partition.js";
import type { PublishIdentity } from "../../../lib/sinks/sink.js";
import { expiredBy, expiryOf, type History, seen, totals } from "./history.js";

export const SHARD = "s/0";
const at = (record: number) => ({ sequence: String(record), sub: 0 });

export interface Delivery {
  readonly first: number;
  /** Included. */
  readonly last: number;
}

interface InvocationOptions {
  readonly history: History;
  readonly random: () => number;
  /** One step: one record. */
  readonly publish: (identity: PublishIdentity, bytes: Uint8Array) => Promise<void>;
  /** At most so many records are consumed: a deadline may cut a batch. */
  readonly cutAfter: number;
}

/** One micro-batch as the runtime runs it. Returns the last record that is done with: what the shard may advance past. */
export async function invoke(
  partition: StatePartition,
  { first, last }: Delivery,
  { history, random, publish, cutAfter }: InvocationOptions,
): Promise<number> {
  const publisher = (identity: PublishIdentity, parts: readonly { readonly bytes: Uint8Array }[]) =>
    publish(identity, parts[0]!.bytes);
  await partition.load({ fresh: random() < 0.2 });
  history.checkState(partition);
  let done = last;
  for (let attempt = 0; ; attempt++) {
    if (attempt === 5) throw new Error("too many conflicts");
    const offsets = partition.position().offsets.get(SHARD) ?? NO_OFFSETS;
    const fresh: number[] = [];
    done = first - 1;
    for (let record = first; record <= last && fresh.length < cutAfter; record++) {
      if (!isConsumed(offsets, at(record))) fresh.push(record);
      done = record;
    }
    if (fresh.length === 0) break;
    const staged = partition.stage();
    for (const record of fresh) consume(staged, record);
    const outcome = await partition.commit(
      {
        offsets: [{ shard: SHARD, first: at(first), last: at(done) }],
        registers: { ...NO_REGISTERS, processingTime: done },
        lastPassWatermark: done,
        watermark: done,
        outbox: fresh.map((record) => ({
          output: "result" as const,
          sink: "test",
          bytes: new Uint8Array(Buffer.from(String(record))),
        })),
        progress: fresh,
      },
      staged,
      publisher,
    );
    history.checkState(partition);
    if (outcome === "committed") break;
  }
  await partition.publish(publisher, () => random() < 0.03);
  const { version } = partition.position();
  history.checkPublished(version);
  const committed = new Set(history.batches.slice(0, version).flat());
  for (let record = first; record <= done; record++) {
    expect(committed.has(record), `P2: success for record ${record} without a commit`).toBe(true);
  }
  return done;
}

function consume(staged: StagedState, record: number): void {
  const rows = staged.table<[number, number]>(seen);
  rows.expireThrough(expiredBy(record));
  const before = rows.get(`r${record}`, expiryOf(record));
  rows.put(`r${record}`, [record, (before?.[1] ?? 0) + 1], expiryOf(record));
  const sums = staged.table<{ count: number; last: number }>(totals);
  const key = `k${record % 3}`;
  sums.put(key, { last: record, count: (sums.get(key)?.count ?? 0) + 1 }, expiryOf(record) + 1);
}
