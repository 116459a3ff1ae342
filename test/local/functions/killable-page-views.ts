import { existsSync, writeFileSync } from "node:fs";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import type { CheckpointLog } from "../../../lib/checkpoint/checkpoint-log.js";
import { dynamodbCheckpointLog } from "../../../lib/checkpoint/dynamodb-checkpoint-log.js";
import { s3ObjectStore } from "../../../lib/checkpoint/s3-object-store.js";
import { columns, count, kinesis, readStream, s3, string, timestamp, window } from "../../../lib/index.js";
import { batchResponse } from "../../../lib/lambda/batch-response.js";
import { openStreamingQuery } from "../../../lib/runtime/open-streaming-query.js";
import { sourcesOf } from "../../../lib/runtime/query-sources.js";
import { sourceDecoder } from "../../../lib/runtime/source-decoder.js";
import type { StreamingQuery } from "../../../lib/runtime/streaming-query.js";
import { s3Sink } from "../../../lib/sinks/s3-sink.js";
import type { Sink } from "../../../lib/sinks/sink.js";
import { type KinesisEvent, kinesisDeliveries } from "../../../lib/sources/kinesis-event.js";

const View = columns({ eventTime: timestamp(), page: string() });

const { definition } = readStream(kinesis({ stream: "killed-views", schema: View, maxFutureSkew: false }))
  .withWatermark("eventTime", "10 minutes")
  .groupBy(window("eventTime", "5 minutes"))
  .agg({ views: count() })
  .writeStream({ queryName: "killed", outputMode: "append", sink: s3() });

const { TABLE, BUCKET, KILL_STEP, KILL_BATCH, KILL_MARK } = process.env as Record<string, string>;

let batch = 0;
/** kill -9 of this process, once in a run: the mark outlives it. */
function at(step: string): void {
  if (step !== KILL_STEP || String(batch) !== KILL_BATCH || existsSync(KILL_MARK!)) return;
  writeFileSync(KILL_MARK!, step);
  process.kill(process.pid, "SIGKILL");
  // The signal is on its way: nothing more may be sent in the meantime.
  for (;;);
}

/** The clock stands, and so the incarnation is the same in every run. */
const now = () => Date.UTC(2024, 0, 1, 13);

function killableLog(log: CheckpointLog): CheckpointLog {
  return {
    ...log,
    async readPointer(partition) {
      const pointer = await log.readPointer(partition);
      at("load");
      return pointer;
    },
    async putSlot(...put) {
      batch = put[2].batchId;
      at("before-commit");
      const result = await log.putSlot(...put);
      at("after-commit");
      return result;
    },
  };
}

function killableSink(sink: Sink): Sink {
  return {
    ...sink,
    stage(rows) {
      batch += 1;
      at("stage");
      batch -= 1;
      return sink.stage(rows);
    },
    async publish(identity, parts) {
      at("before-publish");
      await sink.publish(identity, parts);
      at("after-publish");
    },
  };
}

let opening: Promise<StreamingQuery> | undefined;

function open(): Promise<StreamingQuery> {
  const objects = s3ObjectStore(new S3Client({ forcePathStyle: true }), BUCKET!);
  const sink = killableSink(s3Sink({ store: objects, prefix: "out/" }));
  let id = 0;
  return openStreamingQuery(definition, {
    log: killableLog(dynamodbCheckpointLog({ client: new DynamoDBClient(), tableName: TABLE!, query: "killed", now })),
    objects,
    sinks: { result: sink, late: sink, malformed: sink },
    shardListers: new Map(),
    clock: { now },
    newId: () => `${process.pid}-${id++}`,
    random: () => 0.5,
    sleep: async () => {},
    onProgress: () => {},
    generation: 1,
    decoderOf: (name) => {
      const decode = sourceDecoder(sourcesOf(definition.plan).find((source) => source.name === name)!, definition);
      return (payload) => {
        batch += 1;
        at("decode");
        batch -= 1;
        return decode(payload);
      };
    },
  });
}

export const handler = async (event: KinesisEvent) => {
  opening ??= open();
  const query = await opening;
  batch = query.lastProgress()?.batchId ?? batch;
  const { unprocessed } = await query.processBatch(kinesisDeliveries(event, (stream) => stream));
  at("before-answer");
  return batchResponse(unprocessed);
};
