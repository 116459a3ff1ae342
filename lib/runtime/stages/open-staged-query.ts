import { internalError } from "../../errors.js";
import type { QueryDefinition } from "../../plan/logical-plan.js";
import { partitioningOf } from "../../plan/partitioning/partitioning-of.js";
import { planShuffleStage, planStateStage } from "../../planner/plan-stages.js";
import { inputNames } from "../../shuffle/input-names.js";
import { shuffleSink } from "../../shuffle/shuffle-sink.js";
import type { ShuffleStream } from "../../shuffle/shuffle-stream.js";
import { decodersOf, type OpenOptions, openCheckpoint, planOptions } from "../open-streaming-query.js";
import { queryRuntime } from "../query-runtime.js";
import { rowPartitions } from "./shuffle-stage.js";
import { type StagedQuery, stagedQuery } from "./staged-query.js";

interface StagedOptions extends OpenOptions {
  readonly shuffle: ShuffleStream;
  /** Of a part of an entry; 10,000 unless a simulation wants many parts. */
  readonly partRows?: number;
}

/** One environment of a query with several state partitions; both of its stages, for both are one function (S20). */
export async function openStagedQuery(definition: QueryDefinition, options: StagedOptions): Promise<StagedQuery> {
  const { clock, newId, shuffle: stream, sleep, random, sinks } = options;
  const tables = await planOptions(definition, options);
  const checkpoint = await openCheckpoint(definition, (known) => planStateStage(known, tables), options);
  const stored = checkpoint.definition;
  const partitioning = partitioningOf(stored.plan, stored.options);
  if (partitioning === null)
    throw internalError("one-stage", `${definition.queryName} has one state partition: it is opened as one stage.`);
  const shuffle = planShuffleStage(stored, tables);
  const identity = { id: checkpoint.incarnation, runId: newId() };
  const ports = { ...options, decoders: decodersOf(definition, shuffle.query, options) };
  const toStream = { stream, sleep, random };
  const shufflePorts = { ...ports, sinks: { ...sinks, result: shuffleSink(toStream), others: [] } };
  const { count, seed, columns, cut } = partitioning;
  return stagedQuery({
    checkpoint,
    clock,
    partitions: count,
    shuffle,
    inputs: { names: inputNames(cut.sources.map(({ name }) => name)), schemas: shuffle.schemas },
    partitionOf: rowPartitions(columns, cut.sources.length, count, seed),
    shuffleRuntime: queryRuntime(stored, shuffle.query, shufflePorts, identity),
    stateRuntime: queryRuntime(stored, checkpoint.query, ports, identity),
    stream: toStream,
    ...(options.partRows === undefined ? {} : { partRows: options.partRows }),
    ...(options.wrapPartition === undefined ? {} : { wrapPartition: options.wrapPartition }),
  });
}
