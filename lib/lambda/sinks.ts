import { userError } from "../errors.js";
import type { Descriptor } from "../plan/logical-plan.js";
import type { ForeachBatch } from "../sinks/foreach-batch-sink.js";
import type { OutputName, Sink } from "../sinks/sink.js";
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

/** Kinds that take late and malformed rows beside the results. */
const OWN_SIDE_OUTPUTS: ReadonlySet<string> = new Set(["s3", "console", "memory"]);

/** The sink by its descriptor's kind; side outputs go to S3, beside the results where those do too. */
export async function openSinks(descriptor: Descriptor, world: SinkWorld): Promise<Readonly<Record<OutputName, Sink>>> {
  const result = await openSink(descriptor, world);
  const side = OWN_SIDE_OUTPUTS.has(descriptor.kind) ? result : await openS3({ kind: "s3" }, world);
  return { result, late: side, malformed: side };
}

async function openSink(descriptor: Descriptor, world: SinkWorld): Promise<Sink> {
  const { clients, functions, random, sleep } = world;
  switch (descriptor.kind) {
    case "s3":
      return openS3(descriptor, world);
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
      return foreachBatchSink(functions[String(descriptor["handler"])] as ForeachBatch);
    }
    case "dynamodb": {
      const { dynamoDbSink } = await import("../sinks/dynamodb-sink.js");
      const { dynamoDbTable } = await import("../sinks/dynamodb-table.js");
      const table = dynamoDbTable(await clients.dynamodb(), String(descriptor["table"]));
      return dynamoDbSink({ table, key: descriptor["key"] as readonly string[] });
    }
    case "kinesis": {
      const { kinesisSink } = await import("../sinks/kinesis-sink.js");
      const { kinesisRecordStream } = await import("../sinks/kinesis-record-stream.js");
      const stream = kinesisRecordStream(await clients.kinesis(), String(descriptor["stream"]));
      return kinesisSink({ stream, key: [String(descriptor["partitionKey"])], random, sleep });
    }
    default:
      throw userError(
        "sink-kind",
        `A Lambda function cannot write to the sink "${descriptor.kind}".`,
        "Use s3(), dynamodb(), kinesis(), foreachBatch() or console().",
      );
  }
}

async function openS3(descriptor: Descriptor, { clients, bucket }: SinkWorld): Promise<Sink> {
  const { s3Sink } = await import("../sinks/s3-sink.js");
  const { s3ObjectStore } = await import("../checkpoint/s3-object-store.js");
  const store = s3ObjectStore(await clients.s3(), String(descriptor["bucket"] ?? bucket));
  const prefix = String(descriptor["prefix"] ?? "");
  if (descriptor["format"] !== "parquet") return s3Sink({ store, prefix });
  const { PARQUET } = await import("../sinks/parquet-format.js");
  return s3Sink({ store, prefix, format: PARQUET });
}
