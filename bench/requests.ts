import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { dynamodbCheckpointLog } from "../lib/checkpoint/dynamodb-checkpoint-log.js";
import type { ObjectStore } from "../lib/checkpoint/object-store.js";
import { s3ObjectStore } from "../lib/checkpoint/s3-object-store.js";
import { startFaultProxy } from "../lib/local/fault-proxy.js";
import { startStack } from "../lib/local/stack.js";
import { connectClients } from "../lib/local/stack-clients.js";
import { openStreamingQuery } from "../lib/runtime/open-streaming-query.js";
import { kinesisDeliveries } from "../lib/sources/kinesis-event.js";
import { type Figure, median } from "./figure.js";
import { kinesisEvent } from "./kinesis-events.js";
import { pageViews, portsWithoutCheckpoint } from "./page-views.js";

const ROWS = 10_000;
const BATCHES = 100;
const KEYS = 1_000;
/** Batches until windows close as fast as they open. */
const WARM_UP = 10;
/** At list prices one PUT of S3 costs as much as this many write units of DynamoDB. */
const WRITE_UNITS_PER_PUT = 8;

/**
 * One million events through the query on the embedded stack, 100 warm micro-batches, a lap of the ring and its snapshot among them. A
 * proxy before DynamoDB counts the requests on the wire.
 */
export async function requests(): Promise<readonly Figure[]> {
  const stack = await startStack();
  const proxy = await startFaultProxy({ target: stack.endpoints.dynamodb });
  const clients = connectClients({ ...stack.endpoints, dynamodb: proxy.endpoint });
  try {
    await stack.createTable("bench");
    await stack.createBucket("bench");
    const itemBytes: number[] = [];
    clients.dynamodb.middlewareStack.add(
      (next) => (args) => {
        const { Item, ExpressionAttributeValues } = args.input as { [name: string]: Attributes | undefined };
        itemBytes.push(bytesOf(Item ?? ExpressionAttributeValues ?? {}));
        return next(args);
      },
      { step: "finalizeRequest", priority: "low" },
    );
    const uploads: number[] = [];
    const log = dynamodbCheckpointLog({ client: clients.dynamodb, tableName: "bench", query: "bench", now: Date.now });
    const objects = counted(s3ObjectStore(clients.s3, "bench"), uploads);
    const query = await openStreamingQuery(pageViews.definition, { ...portsWithoutCheckpoint(), log, objects });
    const perBatch: number[] = [];
    let touchedGroups = 0;
    for (let round = 0; round < WARM_UP + BATCHES; round++) {
      if (round === WARM_UP) {
        itemBytes.length = 0;
        uploads.length = 0;
      }
      const before = sumOf([...proxy.calls.values()]);
      const { progress } = await query.processBatch(
        kinesisDeliveries(kinesisEvent(round, ROWS, KEYS), () => "page-views"),
      );
      if (progress?.numInputRows !== ROWS) throw new Error("Not all rows were read.");
      if (round < WARM_UP) continue;
      perBatch.push(sumOf([...proxy.calls.values()]) - before);
      touchedGroups += sumOf(progress.stateOperators.map(({ numRowsUpdated }) => numRowsUpdated));
    }
    const writeUnits = sumOf(itemBytes.map((bytes) => Math.ceil(bytes / 1024)));
    const withPuts = writeUnits + uploads.length * WRITE_UNITS_PER_PUT;
    return [
      { name: "DynamoDB requests per warm micro-batch, median", value: median(perBatch), unit: "requests", budget: 1 },
      { name: "  mean, snapshots included", value: sumOf(perBatch) / BATCHES, unit: "requests", budget: null },
      {
        name: "  item bytes per micro-batch, mean",
        value: Math.round(sumOf(itemBytes) / BATCHES),
        unit: "bytes",
        budget: null,
      },
      {
        name: `write units per 1 M events, ${KEYS} keys, batches of ${ROWS}`,
        value: writeUnits,
        unit: "units",
        budget: Math.floor(touchedGroups / 100),
      },
      { name: "  S3 PUTs of the checkpoint beside them", value: uploads.length, unit: "PUTs", budget: null },
      {
        name: "  write units with a PUT counted as 8",
        value: withPuts,
        unit: "units",
        budget: Math.floor(touchedGroups / 100),
      },
      { name: "  one UpdateItem per touched group instead", value: touchedGroups, unit: "units", budget: null },
    ];
  } finally {
    for (const client of Object.values(clients)) client.destroy();
    await proxy.stop();
    await stack.stop();
  }
}

type Attributes = Readonly<Record<string, AttributeValue>>;

/** As DynamoDB measures an item: names and values; a number about half its digits. */
const bytesOf = (item: Attributes): number =>
  sumOf(
    Object.entries(item).map(([name, { S, N, B }]) => {
      const value = B?.length ?? (S === undefined ? Math.ceil((N?.length ?? 0) / 2) + 1 : Buffer.byteLength(S));
      return name.length + value;
    }),
  );

const counted = (objects: ObjectStore, uploads: number[]): ObjectStore => ({
  ...objects,
  put(key, bytes, options) {
    uploads.push(bytes.length);
    return objects.put(key, bytes, options);
  },
});

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
