import { memoryCheckpointLog } from "../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../lib/checkpoint/memory-object-store.js";
import type { SourceNode } from "../lib/plan/logical-plan.js";
import { finishPasses } from "../lib/planner/passes.js";
import { planQuery } from "../lib/planner/plan-query.js";
import { feed } from "../lib/runtime/feed.js";
import { decodeDeliveries } from "../lib/runtime/micro-batch-input.js";
import { openStreamingQuery } from "../lib/runtime/open-streaming-query.js";
import { sourcesOf } from "../lib/runtime/query-sources.js";
import { sourceDecoder } from "../lib/runtime/source-decoder.js";
import { sourcePolicy } from "../lib/runtime/source-policy.js";
import { type KinesisEvent, kinesisDeliveries } from "../lib/sources/kinesis-event.js";
import { memoryState } from "../lib/state/staged-state.js";
import { settleYoungObjects } from "./collect-garbage.js";
import { type Figure, median } from "./figure.js";
import { kinesisEvent } from "./kinesis-events.js";
import { DELAY_MS, pageViews, portsWithoutCheckpoint } from "./page-views.js";

const ROWS = 10_000;
const PAGES = 200;
const ROUNDS = 120;
const WARM_UP = 20;

type Candidate = (event: KinesisEvent) => void | Promise<void>;

/**
 * CPU time per row, not wall time: other work on the machine moves the clock more. The candidates take turns on the same genuine event, each
 * round in another order; a ratio is the median over the rounds of that round's own ratio, so that what slows a round slows both its sides.
 */
export async function throughput(): Promise<readonly Figure[]> {
  const candidates: readonly Candidate[] = [parseFloor(), engine(), await wholeBatch()];
  const samples = candidates.map(() => [] as number[]);
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const event = kinesisEvent(round, ROWS, PAGES);
    for (let turn = 0; turn < candidates.length; turn++) {
      const which = (round + turn) % candidates.length;
      settleYoungObjects();
      const start = process.cpuUsage();
      await candidates[which]!(event);
      const { user, system } = process.cpuUsage(start);
      if (round >= WARM_UP) samples[which]!.push((user + system) / ROWS);
    }
  }
  const [floor, rows, batch] = samples as [number[], number[], number[]];
  const toFloor = (those: readonly number[]) => median(those.map((micros, i) => micros / floor[i]!));
  return [
    { name: "base64 + JSON.parse alone, CPU per row", value: median(floor), unit: "µs", budget: null },
    { name: "windowed count + sum, event to windows, CPU per row", value: median(rows), unit: "µs", budget: null },
    { name: "  as a ratio to the parse alone", value: toFloor(rows), unit: "", budget: 1.5 },
    {
      name: "whole micro-batch (+ staging, commit, publication), CPU per row",
      value: median(batch),
      unit: "µs",
      budget: null,
    },
    { name: "  as a ratio to the parse alone", value: toFloor(batch), unit: "", budget: null },
  ];
}

/** base64 and JSON.parse of every record, and nothing else. */
function parseFloor(): Candidate {
  let checksum = 0;
  return ({ Records }) => {
    for (const { kinesis } of Records) {
      const row = JSON.parse(Buffer.from(kinesis.data, "base64").toString()) as { durationMs: number };
      checksum += row.durationMs;
    }
    if (checksum === 0) throw new Error("The floor parsed nothing.");
  };
}

/** From the event to updated and evicted windows: decode, data pass, follow-up pass, state applied. */
function engine(): Candidate {
  const { definition } = pageViews;
  const query = planQuery(definition);
  const node = sourcesOf(definition.plan)[0] as SourceNode;
  const decoders = new Map([[node.name, sourceDecoder(node, definition, { reads: query.sources[0]!.reads ?? null })]]);
  const policies = new Map([[node.name, sourcePolicy(node.descriptor)]]);
  const state = memoryState();
  let evict = Number.NEGATIVE_INFINITY;
  let batches = 0;
  let closed = 0;
  return (event) => {
    const input = decodeDeliveries(
      query.sources,
      decoders,
      kinesisDeliveries(event, () => node.name),
    );
    const staged = state.stage();
    const selection = { input, consumed: new Uint8Array(ROWS), rejected: new Map(), limit: ROWS };
    const late = evict;
    query.beginPass({ watermarkForLateEvents: late, watermarkForEviction: late, processingTime: 0, state: staged });
    feed(
      query.sources,
      policies,
      selection,
      () => false,
      (source, chunk) => query.process(source, chunk),
    );
    const { observations } = finishPasses(query.endPass());
    evict = Math.max(evict, Math.floor(observations[0]!.maxEventTime) - DELAY_MS);
    query.beginPass({ watermarkForLateEvents: late, watermarkForEviction: evict, processingTime: 0, state: staged });
    closed += finishPasses(query.endPass()).numOutputRows;
    if (++batches === WARM_UP && closed === 0) throw new Error("No window closed.");
    state.commit(staged);
  };
}

/** All eight steps over in-memory ports: the log entry is encoded and the output staged as they would be for AWS. */
async function wholeBatch(): Promise<Candidate> {
  const now = () => Date.now();
  const query = await openStreamingQuery(pageViews.definition, {
    ...portsWithoutCheckpoint(),
    log: memoryCheckpointLog(now),
    objects: memoryObjectStore(now),
  });
  return async (event) => {
    const { progress } = await query.processBatch(kinesisDeliveries(event, () => "page-views"));
    if (progress?.numInputRows !== ROWS) throw new Error("Not all rows were read.");
  };
}
