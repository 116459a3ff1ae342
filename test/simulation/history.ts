import { Buffer } from "node:buffer";
import type { CheckpointLog, SlotItem } from "../../lib/checkpoint/checkpoint-log.js";
import { decodeEntry, type LogEntry } from "../../lib/checkpoint/entry-codec.js";
import type { ObjectStore } from "../../lib/checkpoint/object-store.js";
import { decodePack, type OutboxStep } from "../../lib/checkpoint/outbox-codec.js";
import { mergeRegisters, NO_REGISTERS, type Registers } from "../../lib/checkpoint/registers.js";
import type { Row } from "../../lib/plan/schema.js";
import type { QueryProgress } from "../../lib/runtime/progress.js";
import type { OutboxPart, OutputName, PublishIdentity } from "../../lib/sinks/sink.js";
import type { Position } from "../../lib/sources/source.js";
import type { Config } from "./config.js";
import type { Job } from "./mapping.js";
import type { Outputs } from "./outputs/outputs.js";
import type { Model } from "./scenarios/scenario.js";
import { isPoison, type SimRecord, type SimStream } from "./stream.js";
import type { Judge } from "./violation.js";
import { newWatermarkModel } from "./watermark-model.js";

export interface Batch {
  /** As the entry divides its output. */
  readonly steps: readonly OutboxStep[];
  readonly watermark: number;
}

/** What one incarnation committed, in the store's own order; every invariant of a commit is checked as it is applied. */
export interface History {
  readonly incarnation: string;
  readonly batches: readonly Batch[];
  readonly consumed: ReadonlySet<SimRecord>;
  /** Records by what became of them, for the accounting at the end. */
  readonly totals: Totals;
  applied(item: SlotItem, job: Job): Promise<void>;
  /** Before a step is published; what it returns is called when the step is known to be out. */
  checkPublish(identity: PublishIdentity, parts: readonly OutboxPart[]): () => void;
}

export interface Totals {
  rows: number;
  malformed: number;
  heartbeats: number;
  late: number;
}

export interface HistoryOptions {
  readonly incarnation: string;
  readonly config: Config;
  readonly stream: SimStream;
  readonly objects: ObjectStore;
  outputsOf(output: OutputName): Outputs;
  /** Whether the user function of a generation throws at poison. */
  isBroken(generation: number): boolean;
  readonly judge: Judge;
  readonly trace: (text: string) => void;
}

export function newHistory(options: HistoryOptions): History {
  const { incarnation, objects, judge, config, stream } = options;
  const { scenario } = config;
  const batches: Batch[] = [];
  /** Of each batch's first step among all steps of the history; one more at the end. */
  const firstSteps = [0];
  /** Steps that are known to be out, always the first ones. */
  let stepsOut = 0;
  const consumed = new Set<SimRecord>();
  /** Of those, rows at which the user's function threw. */
  const rejected = new Set<SimRecord>();
  const totals: Totals = { rows: 0, malformed: 0, heartbeats: 0, late: 0 };
  const model: Model = scenario.model();
  const watermarks = newWatermarkModel(config.across, scenario.watermarks);
  let generation = 0;
  let registers: Registers = NO_REGISTERS;
  let watermark = Number.NEGATIVE_INFINITY;

  return {
    incarnation,
    batches,
    consumed,
    totals,
    async applied(item, job) {
      const n = batches.length + 1;
      judge.check(item.batchId === n, "linear-history", () => `batch ${item.batchId} was put where ${n} is next`);
      judge.check(item.generation >= generation, "generations", () => `${item.generation} wrote after ${generation}`);
      generation = item.generation;
      const entry = decodeEntry(item);
      const before = watermark;
      const fresh = takeFresh(entry, job, before);
      checkRetired(entry);
      const drains = entry.registers.drained && !registers.drained;
      registers = mergeRegisters(registers, entry.registers);
      watermark = checkWatermark(entry, before);
      // An invocation that slept over a reset is out of order to the new incarnation.
      if (!config.outOfOrder && !config.reset && !stream.recreated) checkReadThrough(n);
      const steps = await stepsOf(entry);
      const parts = steps.flat();
      batches.push({ steps, watermark });
      firstSteps.push(firstSteps.at(-1)! + steps.length);
      options.trace(
        `  committed ${n}: ${fresh.map(({ sequence, sub }) => `${sequence}.${sub}`).join(" ")}; watermark ${watermark}`,
      );
      checkOutput(n, fresh, parts, before, drains ? Number.POSITIVE_INFINITY : watermark);
    },
    checkPublish({ batchId }, parts) {
      const batch = batches[batchId - 1];
      if (batch === undefined) return judge.fail("publish-after-commit", `batch ${batchId} is published uncommitted`);
      const step = batch.steps.findIndex((expected) => sameParts(parts, expected));
      judge.check(step >= 0, "published-as-committed", () => `batch ${batchId}, output ${parts[0]?.output}`);
      const place = firstSteps[batchId - 1]! + step;
      judge.check(
        place <= stepsOut,
        "steps-in-order",
        () => `batch ${batchId} step ${step + 1} before those before it`,
      );
      return () => {
        stepsOut = Math.max(stepsOut, place + 1);
      };
    },
  };

  /** The records that batch n is the first to consume, and whether the engine counts them as those. */
  function takeFresh(entry: LogEntry, job: Job, before: number): SimRecord[] {
    const { offsets, progress } = entry;
    const inRange = job.records.filter((record) =>
      offsets.some(
        ({ shard, first, last }) =>
          shard === `${record.stream}/${record.shard}` && isAtMost(first, record) && isAtMost(record, last),
      ),
    );
    const fresh = inRange.filter((record) => !consumed.has(record));
    for (const record of fresh) consumed.add(record);
    if (options.isBroken(entry.generation)) rejectPoison(entry, fresh, before);
    const kinds = { rows: 0, malformed: 0, heartbeats: 0 };
    for (const record of fresh) kinds[kindOf(record)]++;
    const { numInputRows, malformedRows, heartbeats, deliveredRecords, skippedRecords } = progress as QueryProgress;
    judge.check(
      numInputRows === kinds.rows &&
        malformedRows === kinds.malformed &&
        heartbeats === kinds.heartbeats &&
        skippedRecords === inRange.length - fresh.length &&
        deliveredRecords === inRange.length,
      "counted-once",
      () =>
        `batch ${entry.batchId}: ${JSON.stringify({ numInputRows, malformedRows, heartbeats, deliveredRecords, skippedRecords })}, but new are ${JSON.stringify(kinds)} of ${inRange.length}`,
    );
    totals.rows += kinds.rows;
    totals.malformed += kinds.malformed;
    totals.heartbeats += kinds.heartbeats;
    return fresh;
  }

  function rejectPoison({ batchId }: LogEntry, fresh: readonly SimRecord[], before: number): void {
    const poison = scenario.poison!;
    for (const record of fresh) {
      const { content } = record;
      if (!("row" in content) || !isPoison(content.row) || !poison.reaches(content.row, before)) continue;
      judge.check(poison.onError === "malformed", "stops-at-poison", () => `batch ${batchId} has ${placeText(record)}`);
      rejected.add(record);
    }
  }

  function kindOf(record: SimRecord): "rows" | "malformed" | "heartbeats" {
    if ("heartbeat" in record.content) return "heartbeats";
    return "row" in record.content && !rejected.has(record) ? "rows" : "malformed";
  }

  function checkWatermark(entry: LogEntry, before: number): number {
    judge.check(
      entry.watermark >= before && entry.lastPassWatermark <= entry.watermark,
      "monotone-watermark",
      () => `batch ${entry.batchId}: ${before} → ${entry.watermark}`,
    );
    const expected = watermarks.after(rejected, registers, consumed);
    judge.check(
      entry.watermark === expected,
      "watermark",
      () => `batch ${entry.batchId}: ${entry.watermark}, brute force ${expected}`,
    );
    return entry.watermark;
  }

  /** What the watermark rests on: of a live shard all that arrived before `readThrough` is consumed. */
  function checkReadThrough(n: number): void {
    for (const shard of stream.shards) {
      const { readThrough } = registers.perShard[`${shard.stream}/${shard.name}`] ?? { readThrough: 0 };
      const unread = shard.records.find((record) => record.arrival < readThrough && !consumed.has(record));
      judge.check(unread === undefined, "read-through", () => `batch ${n}: ${unread!.sequence} arrived before it`);
    }
  }

  /** A shard retires once it is closed and read to its end, and is never moved again. */
  function checkRetired({ batchId, offsets, registers: { retired } }: LogEntry): void {
    for (const { shard } of offsets)
      judge.check(
        registers.retired[shard] === undefined && retired[shard] === undefined,
        "retired-for-good",
        () => `batch ${batchId} moves ${shard}`,
      );
    for (const [key, newestArrival] of Object.entries(retired)) {
      options.trace(`  retires ${key}`);
      const shard = stream.shards.find(({ stream: of, name }) => key === `${of}/${name}`);
      if (stream.recreated || shard === undefined) continue;
      judge.check(
        shard.closed &&
          shard.records.every((record) => consumed.has(record)) &&
          newestArrival === Math.max(0, ...shard.records.map(({ arrival }) => arrival)),
        "retired-when-read",
        () => `batch ${batchId} retires ${key}, newest arrival ${newestArrival}`,
      );
    }
  }

  async function stepsOf({ batchId, outbox }: LogEntry): Promise<readonly OutboxStep[]> {
    const steps: OutboxStep[] = [];
    for (const { blob } of outbox) {
      const bytes = "inline" in blob ? blob.inline : await objects.get(blob.key);
      if (bytes === null) return judge.fail("output-kept", `a pack of batch ${batchId} is gone at its commit`);
      steps.push(...decodePack(bytes));
    }
    return steps;
  }

  function checkOutput(
    n: number,
    fresh: readonly SimRecord[],
    parts: readonly OutboxPart[],
    before: number,
    evicted: number,
  ): void {
    const rows = fresh.flatMap((record) =>
      "row" in record.content && !rejected.has(record) ? [{ record, row: record.content.row }] : [],
    );
    const expected = model.batch(rows, before, evicted);
    totals.late += expected.late.length;
    const places = (records: readonly SimRecord[]) => records.map(placeText);
    const wanted: Record<OutputName, string[]> = {
      result: [...expected.result],
      late: places(expected.late),
      malformed: places(fresh.filter((record) => kindOf(record) === "malformed")),
    };
    for (const output of ["result", "late", "malformed"] as const) {
      const got = parts
        .filter((part) => part.output === output)
        .flatMap((part) => options.outputsOf(output).rowsOf(part))
        .map(output === "result" ? scenario.describe : placeOf);
      judge.check(
        got.sort().join("\n") === wanted[output].sort().join("\n"),
        `brute-force-${output}`,
        () => `batch ${n}: ${JSON.stringify(got)}, brute force ${JSON.stringify(wanted[output])}`,
      );
    }
  }
}

type Place = Pick<SimRecord, "stream" | "shard" | "sequence" | "sub">;

const placeText = ({ stream, shard, sequence, sub }: Place): string => `${stream}/${shard}:${sequence}.${sub}`;

const placeOf = (row: Row): string => placeText(row["source"] as Place);

/** Not the engine's own comparison. */
const isAtMost = (a: Position, b: Position): boolean =>
  a.sequence === b.sequence ? a.sub <= b.sub : Number(a.sequence) < Number(b.sequence);

const sameParts = (a: readonly OutboxPart[], b: readonly OutboxPart[]): boolean =>
  a.length === b.length &&
  a.every(
    (part, i) =>
      part.output === b[i]!.output &&
      part.dt === b[i]!.dt &&
      part.sink === b[i]!.sink &&
      part.firstRow === b[i]!.firstRow &&
      Buffer.compare(part.bytes, b[i]!.bytes) === 0,
  );

/** Everything that a log applies passes by the history. `senders`: by attempt id, what its writer was doing. */
export const observed = (
  log: CheckpointLog,
  historyOf: (incarnation: string) => History,
  senders: ReadonlyMap<string, Job>,
): CheckpointLog => ({
  ...log,
  async putSlot(at, slot, item, expected, guard) {
    const result = await log.putSlot(at, slot, item, expected, guard);
    if (result.outcome === "applied") await historyOf(at.incarnation).applied(item, senders.get(item.attemptId)!);
    return result;
  },
});
