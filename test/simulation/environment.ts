import type { CheckpointLog } from "../../lib/checkpoint/checkpoint-log.js";
import type { StatePartition } from "../../lib/checkpoint/state-partition.js";
import { batchResponse } from "../../lib/lambda/batch-response.js";
import { openStreamingQuery } from "../../lib/runtime/open-streaming-query.js";
import type { StreamingQuery } from "../../lib/runtime/streaming-query.js";
import { piecesOf } from "../../lib/sinks/pieces.js";
import type { OutputName, Sink } from "../../lib/sinks/sink.js";
import { kinesisDeliveries } from "../../lib/sources/kinesis-event.js";
import { memoryShardLister } from "../../lib/sources/memory-shard-lister.js";
import type { ShardLister } from "../../lib/sources/shard-lister.js";
import type { Position } from "../../lib/sources/source.js";
import { scanOptions, scanWayOf } from "../scan-way.js";
import { type Job, TICK } from "./mapping.js";
import { faultyLog } from "./ports/faulty-log.js";
import { faultyObjects } from "./ports/faulty-objects.js";
import { newNetwork } from "./ports/network.js";
import { oneStepAtATime } from "./steps-per-invocation.js";
import { eventOf, isPoison, type SimRecord } from "./stream.js";
import { Violation } from "./violation.js";
import type { World } from "./world.js";

/** One execution environment of the function: one invocation at a time, its caches in between. */
export interface Environment {
  readonly actor: string;
  readonly generation: number;
  busy: boolean;
  /** Newer code has taken over: it is no use any more. */
  superseded: boolean;
  /** It has seen that the stream was made again. */
  refuses: boolean;
  /** Why its latest invocation failed; null: it did not. */
  failure: string | null;
  /** Resolves to how many of the job's records are done with; never rejects. */
  invoke(job: Job): Promise<number>;
}

export function newEnvironment(world: World, actor: string, generation: number): Environment {
  const { config, choices, clock, plan, judge } = world;
  let job: Job = TICK;
  let partition: StatePartition | null = null;
  let opened: Promise<StreamingQuery> | null = null;
  let incarnation = "";
  let loaded = false;

  const network = newNetwork(world, actor);
  // Each generation writes elsewhere than the one before it.
  const sinkOf = (output: OutputName, target = `place ${generation % 2}`): Sink => {
    const real = world.outputsOf(output).sink(network);
    return {
      ...real,
      target,
      // A step per few rows: what a commit of a hundred thousand has, with a few. By the code's generation, for new code may divide otherwise.
      stage(batch) {
        const rows = real.wholeCommit === true ? 0 : config.rowsPerStep[generation % 2]!;
        if (rows === 0) return real.stage(batch);
        return piecesOf(batch.rows, rows).flatMap((piece, at) =>
          real.stage({ ...batch, rows: piece, firstRow: at * rows }),
        );
      },
      async publish(identity, parts) {
        for (const part of parts)
          judge.check(
            part.target === target,
            "published-where-committed",
            () => `${actor} publishes to ${target} what was committed for ${part.target}`,
          );
        const isOut = world.historyOf(identity.incarnation).checkPublish(identity, parts);
        if (world.sinkDown) {
          await plan.gate(actor, "publish, sink down");
          throw new Error("simulated: the sink is down");
        }
        await real.publish(identity, parts);
        isOut();
      },
    };
  };
  const faulty = faultyLog(world.log, network);
  const log: CheckpointLog = {
    ...faulty,
    readPointer(at) {
      incarnation = at.incarnation;
      return faulty.readPointer(at);
    },
    putSlot(at, slot, item, expected, guard) {
      world.senders.set(item.attemptId, job);
      return faulty.putSlot(at, slot, item, expected, guard);
    },
  };

  const open = () =>
    openStreamingQuery(world.definition(generation), {
      log,
      objects: faultyObjects(world.objects, network),
      sinks: { result: sinkOf("result"), late: sinkOf("late"), malformed: sinkOf("malformed") },
      formerSink: async (target, output) => sinkOf(output, target),
      shardListers:
        config.across === "auto" ? new Map(world.stream.names.map((name) => [name, lister(name)])) : new Map(),
      clock: { now: () => clock.time },
      newId: world.newId,
      random: () => choices.pick(4) / 4,
      sleep: () => plan.gate(actor, "sleep"),
      onProgress: () => {},
      generation,
      ringSize: config.ringSize,
      maxRuns: config.maxRuns,
      packBytes: config.packBytes,
      ...scanOptions(scanWayOf(actor.length + generation), generation),
      wrapPartition: (made) => {
        partition = made;
        const stepwise = oneStepAtATime(made, () => world.stepsPerInvocation);
        return {
          ...stepwise,
          async load(how) {
            const result = await stepwise.load(how);
            loaded = true;
            return result;
          },
        };
      },
    });

  const lister = (name: string): ShardLister => {
    const wasRead = () => world.historyOf(incarnation).consumed;
    const look = () => memoryShardLister(() => clock.time, world.stream.listed(name, wasRead()));
    return {
      listShards: () => network.call("list shards", () => look().listShards()),
      probe: (shard, after) => network.call(`probe ${shard}`, () => look().probe(shard, after)),
    };
  };

  const self: Environment = {
    actor,
    generation,
    busy: false,
    superseded: false,
    refuses: false,
    failure: null,
    async invoke(next) {
      job = next;
      loaded = false;
      self.failure = null;
      self.busy = true;
      try {
        await plan.gate(actor, "begin");
        opened ??= open();
        const query = await opened;
        const deadline = choices.chance(0.05) ? { at: clock.time + 1_500, reserveMs: 1_000 } : null;
        if (job.kind !== "records") await query[job.kind](deadline);
        const done = job.kind === "records" ? await records(query, job, deadline) : 0;
        checkSuccess(job, done);
        return done;
      } catch (error) {
        failed(error);
        return 0;
      } finally {
        self.busy = false;
      }
    },
  };
  return self;

  async function records(
    query: StreamingQuery,
    { records: sent }: Job,
    deadline: Parameters<StreamingQuery["processBatch"]>[1],
  ): Promise<number> {
    const deliveries = kinesisDeliveries(eventOf(sent), (stream) => world.stream.names.find((name) => name === stream));
    const { unprocessed, failure } = await query.processBatch(deliveries, deadline);
    if (failure !== undefined) failed(failure);
    const failures = batchResponse(unprocessed).batchItemFailures;
    for (const left of unprocessed) checkStopped(sent, left);
    if (failures.length === 0) return sent.length;
    return sent.findIndex(({ sequence }) => sequence === failures[0]!.itemIdentifier);
  }

  /** A batch ends early only where the user's function throws, with all before it committed. */
  function checkStopped(sent: readonly SimRecord[], { sequence, sub }: Position): void {
    const { consumed } = world.historyOf(incarnation);
    const at = sent.findIndex((record) => record.sequence === sequence && record.sub === sub);
    const content = sent[at]?.content;
    judge.check(
      generation < world.mendedFrom &&
        content !== undefined &&
        "row" in content &&
        isPoison(content.row) &&
        sent.slice(0, at).every((record) => consumed.has(record)),
      "stops-at-poison",
      () => `${actor} stops at ${sequence}.${sub}`,
    );
  }

  /** Rule 9: success means that every record is in the committed history and everything up to the version is published. */
  function checkSuccess({ records: sent }: Job, done: number): void {
    // A tick that finds nothing due loads nothing.
    if (!loaded) return;
    const history = world.historyOf(incarnation);
    const { version, watermark } = partition!.position();
    for (const record of sent.slice(0, done))
      judge.check(history.consumed.has(record), "no-record-lost", () => `${actor}: success without ${record.sequence}`);
    judge.check(
      version === 0 || history.batches[version - 1]?.watermark === watermark,
      "loads-a-real-state",
      () => `${actor} stands at ${version} with watermark ${watermark}`,
    );
    world.checkPublished(history, version);
  }

  /** Networks fail and code is superseded; a broken law of our own is a violation. */
  function failed(error: unknown): void {
    const { code, domain, message } = error as { code?: string; domain?: string; message?: string };
    world.trace(`  ${actor} fails: ${code ?? ""} ${message ?? String(error)}`);
    self.failure = `${code ?? ""} ${message ?? String(error)}`;
    if (code === "superseded") self.superseded = true;
    if (partition === null) opened = null;
    if (code === "source-recreated" && world.stream.recreated) self.refuses = true;
    const expected =
      self.refuses ||
      code === "superseded" ||
      domain === "external" ||
      String(message).startsWith("simulated:") ||
      (code === "user-function" && config.scenario.poison !== undefined && generation < world.mendedFrom);
    if (!expected && !(error instanceof Violation))
      judge.note("no-broken-law", `${actor}: ${code ?? (error as Error).name} ${message}`);
  }
}
