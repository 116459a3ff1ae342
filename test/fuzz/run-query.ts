import type { QueryDefinition } from "../../lib/plan/logical-plan.js";
import type { Row } from "../../lib/plan/schema.js";
import { openStreamingQuery } from "../../lib/runtime/open-streaming-query.js";
import type { StreamingQuery } from "../../lib/runtime/streaming-query.js";
import type { Delivery } from "../../lib/sources/source.js";
import { Crash, type CrashStep, crashingPartition } from "../../lib/testing/crash.js";
import { isoTime } from "../../lib/time/iso-time.js";
import type { Invocation } from "./deliveries.js";
import type { InputRow, PlacedRow } from "./input.js";
import { memoryWorld } from "./memory-world.js";
import { sourceName } from "./query-of.js";

export interface Outcome {
  /** Result rows in the order of publication. */
  readonly rows: readonly Row[];
  readonly late: number;
}

export interface RunOptions {
  readonly ringSize: number;
  readonly drain: boolean;
  readonly declines?: () => boolean;
}

/** Plays the invocations against the real runtime over memory; a crashed one is repeated by a new environment. */
export async function runQuery(
  definition: QueryDefinition,
  invocations: readonly Invocation[],
  run: RunOptions,
): Promise<Outcome> {
  const world = memoryWorld(run);
  let crash: CrashStep | null = null;
  const isDue = (step: CrashStep): boolean => {
    if (crash !== step) return false;
    crash = null;
    return true;
  };
  const open = () =>
    openStreamingQuery(definition, {
      ...world.options,
      wrapPartition: (partition) => crashingPartition(partition, isDue),
    });
  let query: StreamingQuery | null = null;
  const sent: SentRecords = new Map();

  for (const invocation of invocations) {
    world.secondPasses();
    if (invocation.restart) query = null;
    query ??= await open();
    if (invocation.tick) await query.tick();
    const deliveries = deliveriesOf(invocation, sent);
    crash = invocation.crash;
    try {
      await query.processBatch(deliveries);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      query = await open();
      await query.processBatch(deliveries);
    }
    crash = null;
  }
  query ??= await open();
  if (run.drain) await query.drain();
  return world.outcome();
}

/** By source and shard, what was sent before. */
export type SentRecords = Map<string, Delivery["records"][number][]>;

export function deliveriesOf({ rows, replayed }: Invocation, sent: SentRecords): Delivery[] {
  const byShard = new Map<string, PlacedRow[]>();
  for (const row of rows) {
    const key = `${sourceName(row.source)}/${row.shard}`;
    byShard.set(key, [...(byShard.get(key) ?? []), row]);
  }
  return [...byShard].map(([key, fresh]) => {
    const [source, shard] = key.split("/") as [string, string];
    const before = sent.get(key) ?? [];
    const records = fresh.map((row) => ({
      sequence: String(row.sequence),
      sub: 0,
      data: payloadOf(row),
      arrival: null,
    }));
    sent.set(key, [...before, ...records]);
    return {
      source,
      shard,
      stream: source,
      records: [...before.slice(before.length - Math.min(replayed, before.length)), ...records],
    };
  });
}

const payloadOf = ({ t, k, id, v }: InputRow): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ t: t === null ? null : isoTime(t / 1000), k, id, v }));
