import { SINKS } from "../plan/connectors/catalogue.js";
import type { S3SinkConnector, SinkConnector } from "../plan/connectors/sink-connector.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import type { ForeachBatch } from "../sinks/foreach-batch-sink.js";
import { keyPrefix } from "../sinks/output-keys.js";
import type { OutputName, OutputSinks, Sink } from "../sinks/sink.js";
import { sinkPlace, targetText } from "../sinks/sink-target.js";
import type { Clients } from "./clients.js";

export interface SinkWorld {
  readonly clients: Clients;
  /** The query's functions: a descriptor names its handler by id. */
  readonly functions: Readonly<Record<string, unknown>>;
  /** Where side outputs go, and results whose sink names no bucket. */
  readonly bucket: string;
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A sink that a query wrote to before; what it committed for it still goes there. */
export async function openFormerSink(target: string, world: SinkWorld): Promise<Sink | null> {
  const place = sinkPlace(target);
  return place === null ? null : openSink(place, world);
}

/** Every sink of a query. Of several each has a target, so that what was staged for one is never published to another. */
export async function openQuerySinks(
  { sink, sinks = {} }: Pick<QueryDefinition, "sink" | "sinks">,
  world: SinkWorld,
): Promise<OutputSinks> {
  const first = await openSinks(sink, world);
  const [firstName, ...otherNames] = Object.keys(sinks);
  if (firstName === undefined) return first;
  const named = (name: string, each: Sink): Sink => ({ ...each, target: each.target ?? `${each.kind}:${name}` });
  const others = await Promise.all(otherNames.map(async (name) => named(name, await openSink(sinks[name]!, world))));
  return { ...first, result: named(firstName, first.result), others };
}

/** The sink by its connector's kind; side outputs go to S3, beside the results where those do too. */
export async function openSinks(
  connector: SinkConnector,
  world: SinkWorld,
): Promise<Readonly<Record<OutputName, Sink>>> {
  const result = await openSink(connector, world);
  const side = SINKS[connector.kind].sideOutputs === "same-sink" ? result : await openS3({ kind: "s3" }, world);
  return { result, late: side, malformed: side };
}

async function openSink(connector: SinkConnector, world: SinkWorld): Promise<Sink> {
  const { clients, functions, random, sleep } = world;
  switch (connector.kind) {
    case "s3":
      return openS3(connector, world);
    case "delta": {
      const { deltaSink } = await import("../sinks/delta/delta-sink.js");
      const { s3LogStore } = await import("../sinks/delta/s3-log-store.js");
      const { s3ObjectStore } = await import("../checkpoint/s3-object-store.js");
      const { path, bucket = world.bucket, partitionBy = [], key = [], mergeSchema = false } = connector;
      const s3 = await clients.s3();
      const store = s3LogStore(s3, bucket, s3ObjectStore(s3, bucket));
      return placed(deltaSink({ store, path, partitionBy, key, mergeSchema, random, sleep }), { ...connector, bucket });
    }
    case "console": {
      const { consoleSink } = await import("../sinks/console-sink.js");
      return consoleSink((text) => process.stdout.write(text));
    }
    case "memory": {
      const { memorySink } = await import("../sinks/memory-sink.js");
      return memorySink();
    }
    case "foreachBatch": {
      const { foreachBatchSink } = await import("../sinks/foreach-batch-sink.js");
      const call = functions[connector.handler] as ForeachBatch;
      return foreachBatchSink(call, { maxRowsPerCall: connector.maxRowsPerCall });
    }
    case "dynamodb": {
      const { dynamoDbSink } = await import("../sinks/dynamodb-sink.js");
      const { dynamoDbTable } = await import("../sinks/dynamodb-table.js");
      const table = dynamoDbTable(await clients.dynamodb(), connector.table);
      return placed(dynamoDbSink({ table, key: connector.key }), connector);
    }
    case "kinesis": {
      const { kinesisSink } = await import("../sinks/kinesis-sink.js");
      const { kinesisRecordStream } = await import("../sinks/kinesis-record-stream.js");
      const stream = kinesisRecordStream(await clients.kinesis(), connector.stream);
      return placed(kinesisSink({ stream, key: [connector.partitionKey], random, sleep }), connector);
    }
  }
}

async function openS3({ bucket, prefix = "", format }: S3SinkConnector, world: SinkWorld): Promise<Sink> {
  const { s3Sink } = await import("../sinks/s3-sink.js");
  const { s3ObjectStore } = await import("../checkpoint/s3-object-store.js");
  const place = { kind: "s3", bucket: bucket ?? world.bucket, prefix: keyPrefix(prefix) } as const;
  const store = s3ObjectStore(await world.clients.s3(), place.bucket);
  if (format !== "parquet") return placed(s3Sink({ store, prefix }), place);
  const { PARQUET } = await import("../sinks/parquet-format.js");
  return placed(s3Sink({ store, prefix, format: PARQUET }), place);
}

const placed = (sink: Sink, connector: SinkConnector): Sink => ({ ...sink, target: targetText(connector) });
