import type { CheckpointLog } from "../checkpoint/checkpoint-log.js";
import type { ObjectStore } from "../checkpoint/object-store.js";
import { openQuery } from "../checkpoint/open-query.js";
import type { StatePartition } from "../checkpoint/state-partition.js";
import { openStatePartition } from "../checkpoint/state-partition-ring.js";
import { internalError, userError } from "../errors.js";
import { adoptStoredIds } from "../plan/adopt-stored-ids.js";
import { checkCompatible } from "../plan/check-compatible.js";
import type { StoredTableConnector } from "../plan/connectors/table-connector.js";
import { type Fingerprint, fingerprintOf, type StateVariables } from "../plan/fingerprint.js";
import type { LogicalNode, QueryDefinition, StaticNode } from "../plan/logical-plan.js";
import type { Row } from "../plan/schema.js";
import { nodesUpwards } from "../plan/walk.js";
import type { PhysicalQuery } from "../planner/physical-query.js";
import { type PlanOptions, planQuery } from "../planner/plan-query.js";
import type { PartitionId } from "../sinks/sink.js";
import { targetOf } from "../sinks/sink-target.js";
import type { RowDecoder } from "../sources/source.js";
import type { TableSpec } from "../state/state-store.js";
import type { RuntimePorts } from "./ports.js";
import { sourcesOf } from "./query-sources.js";
import { sourceDecoder } from "./source-decoder.js";
import { type StreamingQuery, streamingQuery } from "./streaming-query.js";

/** A fixed table whose rows are not part of the query. */
export interface StoredTable extends Pick<StaticNode, "name" | "schema"> {
  readonly descriptor: StoredTableConnector;
}

/** The world as a composition root hands it over; the state partition and the decoders are made from it here. */
export interface OpenOptions extends Omit<RuntimePorts, "decoders"> {
  readonly log: CheckpointLog;
  readonly objects: ObjectStore;
  /** Random, never repeated. */
  readonly newId: () => string;
  /** The published function version; `next`: one above whatever stands, for runs that have no versions. */
  readonly generation: number | "next";
  /** Reads a static table whose rows are not part of the query; absent: such a table is refused. */
  readonly readTable?: (table: StoredTable) => Promise<readonly Row[]>;
  /** Overrides the decoder of a source's schema. */
  readonly decoderOf?: (source: string) => RowDecoder | undefined;
  readonly maxStateBytes?: number;
  /** R of the commit ring; 64 unless a simulation wants its laps sooner. */
  readonly ringSize?: number;
  /** K of the offsets; 64 unless a simulation wants runs to fall off sooner. */
  readonly maxRuns?: number;
  /** Of a pack of output; 4 MB unless a simulation wants many of them. */
  readonly packBytes?: number;
  /** Sends payloads by the row decoder that could be scanned; for campaigns, which show that no answer depends on it. */
  readonly declines?: () => boolean;
  /** Puts something between the runtime and its state partition; for drivers of tests. */
  readonly wrapPartition?: (partition: StatePartition, id: PartitionId) => StatePartition;
}

/**
 * One environment of a query: checks it against its checkpoint (protocol.md rule 13) and makes it ready; state is loaded by
 * the first micro-batch. Costs one read, and a write if the code is new.
 */
export async function openStreamingQuery(definition: QueryDefinition, options: OpenOptions): Promise<StreamingQuery> {
  if (definition.options.statePartitions > 1)
    throw internalError(
      "two-stages",
      `${definition.queryName} has several state partitions: it is opened as two stages.`,
    );
  const tables = await planOptions(definition, options);
  const checkpoint = await openCheckpoint(definition, (known) => planQuery(known, tables), options);
  const { query } = checkpoint;
  const partition = checkpoint.partition(0, query.tables);
  return streamingQuery(
    checkpoint.definition,
    query,
    options.wrapPartition?.(partition, 0) ?? partition,
    { ...options, decoders: decodersOf(definition, query, options) },
    { id: checkpoint.incarnation, runId: options.newId() },
  );
}

export interface OpenedCheckpoint {
  /** With the checkpoint's watermark policy, and its names of operators. */
  readonly definition: QueryDefinition;
  readonly query: PhysicalQuery;
  readonly incarnation: string;
  readonly generation: number;
  /** Estimated bytes that the state may have; Infinity: no limit. */
  readonly maxStateBytes: number;
  /** Reads nothing yet. */
  partition(id: PartitionId, tables: readonly TableSpec[]): StatePartition;
}

/**
 * Creates the query's `meta`, or checks the query against it.
 * @param planOf what keeps state, of the definition under the names that the checkpoint has for operators
 */
export async function openCheckpoint(
  definition: QueryDefinition,
  planOf: (definition: QueryDefinition) => PhysicalQuery,
  options: OpenOptions,
): Promise<OpenedCheckpoint> {
  const { log, objects, clock, newId } = options;
  const now = () => clock.now();
  const { queryName, options: limits } = definition;
  let query: PhysicalQuery;
  let plan: LogicalNode;
  const schemaOver = (stored: Fingerprint | null): Fingerprint => {
    plan = stored === null ? definition.plan : adoptStoredIds(definition.plan, stored);
    query = planOf({ ...definition, plan });
    return fingerprintOf({ ...definition, plan }, stateVariablesOf(query));
  };
  const { incarnation, generation, watermarkPolicy } = await openQuery({
    log,
    query: queryName,
    now,
    statePartitions: limits.statePartitions,
    schemaOver,
    sink: targetOf(options.sinks.result),
    checkCompatible,
    watermarkPolicy: definition.watermarkPolicy,
    lateRule: definition.lateRule,
    generation: options.generation,
  });
  const maxStateBytes = limits.maxStateBytes ?? options.maxStateBytes ?? Number.POSITIVE_INFINITY;
  return {
    definition: { ...definition, plan: plan!, watermarkPolicy },
    query: query!,
    incarnation,
    generation,
    maxStateBytes,
    partition: (partition, tables) =>
      openStatePartition({
        log,
        objects,
        now,
        newId,
        query: queryName,
        incarnation,
        partition,
        generation,
        tables,
        maxStateBytes,
        ...(options.ringSize === undefined ? {} : { ringSize: options.ringSize }),
        ...(options.maxRuns === undefined ? {} : { maxRuns: options.maxRuns }),
        ...(options.packBytes === undefined ? {} : { packBytes: options.packBytes }),
        ...(limits.inlineLimitBytes === undefined ? {} : { inlineLimitBytes: limits.inlineLimitBytes }),
      }),
  };
}

export const decodersOf = (
  definition: QueryDefinition,
  query: PhysicalQuery,
  options: OpenOptions,
): ReadonlyMap<string, RowDecoder> => {
  const { decoderOf, declines } = options;
  const scan = declines === undefined ? {} : { declines };
  return new Map(
    sourcesOf(definition.plan).map((node) => [
      node.name,
      decoderOf?.(node.name) ?? sourceDecoder(node, definition, { reads: readOf(query, node.name), ...scan }),
    ]),
  );
};

export async function planOptions(definition: QueryDefinition, { readTable }: OpenOptions): Promise<PlanOptions> {
  const tables = await readTables(definition, readTable);
  return { staticRows: (name) => tables.get(name)! };
}

/** Of a source that has several nodes: what any of them reads. */
const readOf = ({ sources }: PhysicalQuery, name: string): ReadonlySet<string> | null => {
  const reads = sources.filter((source) => source.name === name).map((source) => source.reads ?? null);
  return reads.some((read) => read === null) ? null : new Set(reads.flatMap((read) => [...read!]));
};

const stateVariablesOf = ({ stateful }: PhysicalQuery): StateVariables =>
  new Map(stateful.flatMap(({ operatorId, variables }) => (variables === undefined ? [] : [[operatorId, variables]])));

async function readTables(
  { plan }: QueryDefinition,
  read: OpenOptions["readTable"],
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const tables = new Map<string, readonly Row[]>();
  for (const node of nodesUpwards(plan)) {
    if (node.kind !== "static" || tables.has(node.name)) continue;
    tables.set(node.name, await rowsOf(node, read));
  }
  return tables;
}

async function rowsOf(
  { name, descriptor, schema }: StaticNode,
  read: OpenOptions["readTable"],
): Promise<readonly Row[]> {
  if (descriptor.kind === "table") return descriptor.rows;
  if (read !== undefined) return read({ name, descriptor, schema });
  throw userError(
    "table-kind",
    `The table "${name}" stands in ${descriptor.kind}, which is not read here.`,
    "Give its rows: in readTable() itself, with --table of tidemark run, or as an option of testStream().",
  );
}
