import type { TidemarkError } from "../../../lib/errors.js";
import { openStagedQuery } from "../../../lib/runtime/stages/open-staged-query.js";
import type { StagedQuery } from "../../../lib/runtime/stages/staged-query.js";
import { decodeHead } from "../../../lib/shuffle/shuffle-codec.js";
import { isTick } from "../../../lib/shuffle/shuffle-record.js";
import type { ShuffleRecord, ShuffleStream } from "../../../lib/shuffle/shuffle-stream.js";
import type { Sink } from "../../../lib/sinks/sink.js";
import { memoryShardLister } from "../../../lib/sources/memory-shard-lister.js";
import type { ShardLister } from "../../../lib/sources/shard-lister.js";
import { faultyLog } from "../ports/faulty-log.js";
import { faultyObjects } from "../ports/faulty-objects.js";
import type { Network } from "../ports/network.js";
import type { StreamRecord, StreamShard } from "./streams.js";
import type { StagesWorld } from "./world.js";

export type StagesJob =
  | { readonly kind: "tick" | "drain" }
  | { readonly kind: "source" | "shuffle"; readonly shard: StreamShard; readonly records: readonly StreamRecord[] };

/** One execution environment of the function that is both stages. */
export interface StagesEnvironment {
  readonly actor: string;
  busy: boolean;
  superseded: boolean;
  /** Resolves to how many of the job's records are done with (of a tick: 1 if nothing failed); never rejects. */
  invoke(job: StagesJob): Promise<number>;
}

export function newStagesEnvironment(world: StagesWorld, actor: string, generation: number): StagesEnvironment {
  const { config, choices, clock, plan } = world;
  let opened: Promise<StagedQuery> | null = null;
  let failures = 0;
  const network = networkOf();

  const self: StagesEnvironment = {
    actor,
    busy: false,
    superseded: false,
    async invoke(job) {
      self.busy = true;
      failures = 0;
      try {
        await plan.gate(actor, "begin");
        opened ??= open();
        const query = await opened;
        if (job.kind === "source") return await readSource(query, job);
        if (job.kind === "shuffle") return await readShuffle(query, job);
        await query[job.kind]();
        return failures === 0 ? 1 : 0;
      } catch (error) {
        note(error);
        return 0;
      } finally {
        self.busy = false;
      }
    },
  };
  return self;

  async function readSource(
    query: StagedQuery,
    { shard, records }: Extract<StagesJob, { kind: "source" | "shuffle" }>,
  ) {
    const { unprocessed, failure } = await query.processBatch([
      {
        source: "source",
        shard: shard.name,
        stream: "source",
        records: records.map((record) => ({ ...record, sub: 0 })),
      },
    ]);
    if (failure !== undefined) note(failure);
    const left = unprocessed[0]?.sequence;
    return left === undefined ? records.length : records.findIndex(({ sequence }) => sequence === left);
  }

  async function readShuffle(query: StagedQuery, { records }: Extract<StagesJob, { kind: "source" | "shuffle" }>) {
    const { firstLeft, failure } = await query.processShuffled(records);
    if (failure !== undefined) note(failure);
    return firstLeft === null ? records.length : records.findIndex(({ sequence }) => sequence === firstLeft);
  }

  /** Networks fail and code is superseded; a gap is one where a record was lost. */
  function note(error: unknown): void {
    const { code, domain, message } = error as Partial<TidemarkError>;
    world.trace(`  ${actor} fails: ${message ?? String(error)}`);
    if (code === "superseded") self.superseded = true;
    if (code === "shuffle-gap") {
      const partition = Number(/for partition (\d+)/.exec(message!)![1]);
      world.gaps.add(partition);
      if (partition !== world.lostIn) world.fail("no-false-gap", message!);
      return;
    }
    const expected = code === "superseded" || domain === "external" || String(message).startsWith("simulated:");
    if (!expected) world.fail("no-broken-law", `${actor}: ${(error as Error).stack ?? String(error)}`);
    if (opened !== null) void opened.catch(() => (opened = null));
  }

  function open(): Promise<StagedQuery> {
    const sink: Sink = {
      ...world.sink,
      async publish(identity, parts) {
        await network.call("publish", async () => {
          for (const part of parts) world.published(identity, part.output, part.bytes);
          await world.sink.publish(identity, parts);
        });
      },
    };
    return openStagedQuery(world.definition, {
      log: faultyLog(world.log, network),
      objects: faultyObjects(world.objects, network),
      shuffle: shuffleStream(),
      sinks: { result: sink, late: sink, malformed: sink },
      shardListers: new Map([["source", lister()]]),
      clock: { now: () => clock.time },
      newId: world.newId,
      random: () => choices.pick(4) / 4,
      sleep: () => plan.gate(actor, "sleep"),
      onProgress: () => {},
      generation,
      ringSize: config.ringSize,
      partRows: config.partRows,
    });
  }

  /** Takes all, or some, or all and says nothing of it. */
  function shuffleStream(): ShuffleStream {
    return {
      putRecords: (records) =>
        network.call(`put ${records.map(textOf).join(" ")}`, async () =>
          records.map((record) => {
            if (choices.chance(world.faults.failed)) return "ProvisionedThroughputExceededException";
            if (!isLost(record)) world.shuffle.put((record.partition + 0.5) / config.partitions, record.data);
            return null;
          }),
        ),
    };
  }

  function isLost({ partition, data }: ShuffleRecord): boolean {
    if (!world.mayLose || isTick(decodeHead(data).head) || !choices.chance(0.1)) return false;
    world.mayLose = false;
    world.lostIn = partition;
    world.trace(`    ${actor}: a record of partition ${partition} is lost`);
    return true;
  }

  function lister(): ShardLister {
    const look = () =>
      memoryShardLister(
        () => clock.time,
        world.source.shards
          .filter(({ forgotten }) => !forgotten)
          .map(({ name, parents, records, closed }) => ({
            shard: name,
            parents,
            sequences: records.map(({ sequence }) => sequence),
            closed,
          })),
      );
    return {
      listShards: () => network.call("list shards", () => look().listShards()),
      probe: (shard, after) => network.call(`probe ${shard}`, () => look().probe(shard, after)),
    };
  }

  function networkOf(): Network {
    return {
      choices,
      faults: () => world.faults,
      gate: (what) => plan.gate(actor, what),
      note: (text) => world.trace(`    ${actor}: ${text}`),
      stall: () => {},
      sendLater: (send) => void world.inFlight.push(send),
      async call(what, run) {
        await plan.gate(actor, what);
        const { failed } = world.faults;
        const fate = failed === 0 ? 0 : choices.weighted([1 - failed, failed / 2, failed / 2]);
        if (fate === 1) {
          failures++;
          throw new Error(`simulated: ${what} failed`);
        }
        const result = await run();
        await plan.gate(actor, `${what} answers`);
        if (fate === 2) {
          failures++;
          throw new Error(`simulated: ${what} has no answer`);
        }
        return result;
      },
    };
  }
}

function textOf({ data }: ShuffleRecord): string {
  const { head } = decodeHead(data);
  return isTick(head) ? `tick→${head.partition}` : `${head.shard}.${head.batchId}.${head.part}→${head.partition}`;
}
