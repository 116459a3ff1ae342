import { setTimeout as wait } from "node:timers/promises";
import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { externalError } from "../errors.js";
import { type CheckpointLog, type MetaItem, NO_POINTER, type PartitionKey } from "./checkpoint-log.js";
import { type Item, metaOf, pointerOf, slotItemOf, toKey } from "./dynamodb-items.js";
import { guardUploads, StaleUploads } from "./dynamodb-upload-guard.js";
import { type ItemKey, metaKey, pointerKey, slotKey } from "./keys.js";

interface DynamoDbCheckpointLogOptions {
  /** Its own: the log wraps its signer (rule 5). */
  readonly client: DynamoDBClient;
  /** Keys `pk` and `sk`, both strings. */
  readonly tableName: string;
  readonly query: string;
  /** Epoch ms, the wall clock of rule 5. */
  readonly now: () => number;
}

/** What one BatchGetItem takes. */
const READ_AT_ONCE = 100;
/** In a row, with waits of 50 ms and twice as long each time in between. */
const FRUITLESS_READS = 6;

/** Strongly consistent reads and conditional writes of single items; a warm commit is one PutItem. */
export function dynamodbCheckpointLog(options: DynamoDbCheckpointLogOptions): CheckpointLog {
  const { client, tableName: TableName, query } = options;
  const guarded = guardUploads(client, options.now);

  const read = async (key: ItemKey): Promise<Item | null> => {
    const { Item } = await client.send(new GetItemCommand({ TableName, Key: toKey(key), ConsistentRead: true }));
    return Item ?? null;
  };

  return {
    async readMeta() {
      const item = await read(metaKey(query));
      return item === null ? null : metaOf(item);
    },
    createMeta: async (meta) => {
      const { applied, standing } = await writeMeta(meta, "attribute_not_exists(pk)", {});
      return { created: applied, meta: standing };
    },
    replaceMeta: async (meta, expectedRevision) => {
      const { applied, standing } = await writeMeta(meta, "revision = :expected", {
        ":expected": { N: String(expectedRevision) },
      });
      return { replaced: applied, meta: standing };
    },
    async readPointer(at) {
      const item = await read(pointerKey(query, at));
      return item === null ? null : pointerOf(item);
    },
    async readSlot(at, slot) {
      const item = await read(slotKey(query, at, slot));
      return item === null ? null : slotItemOf(item);
    },
    readSlots: (at, slots) => readSlots(at, slots),
    async putSlot(at, slot, item, expected, guard) {
      const { batchId, attemptId, generation, body } = item;
      const command = new PutItemCommand({
        TableName,
        Item: {
          ...toKey(slotKey(query, at, slot)),
          batchId: { N: String(batchId) },
          attemptId: { S: attemptId },
          generation: { N: String(generation) },
          body: { B: body },
        },
        ConditionExpression: expected === null ? "attribute_not_exists(pk)" : "batchId = :expected",
        ...(expected === null ? {} : { ExpressionAttributeValues: { ":expected": { N: String(expected) } } }),
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      });
      try {
        await guarded(guard, () => client.send(command));
        return { outcome: "applied" };
      } catch (error) {
        if (error instanceof StaleUploads) return { outcome: "stale-uploads" };
        if (!(error instanceof ConditionalCheckFailedException)) return { outcome: "unknown", cause: error };
        return { outcome: "refused", existing: error.Item === undefined ? null : slotItemOf(error.Item) };
      }
    },
    async movePointer(at, next, expectedManifestKey, guard) {
      const { batchId, manifestKey, generation, inline } = next;
      const command = new UpdateItemCommand({
        TableName,
        Key: toKey(pointerKey(query, at)),
        UpdateExpression: `SET batchId = :v, manifestKey = :key, generation = :g${inline ? ", inlined = :inline" : " REMOVE inlined"}`,
        ConditionExpression:
          expectedManifestKey === null ? "attribute_not_exists(manifestKey)" : "manifestKey = :expected",
        ExpressionAttributeValues: {
          ":v": { N: String(batchId) },
          ":key": { S: manifestKey ?? "" },
          ":g": { N: String(generation) },
          ...(inline ? { ":inline": { B: inline } } : {}),
          ...(expectedManifestKey === null ? {} : { ":expected": { S: expectedManifestKey } }),
        },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      });
      try {
        await guarded(guard, () => client.send(command));
        return { outcome: "applied" };
      } catch (error) {
        if (error instanceof StaleUploads) return { outcome: "stale-uploads" };
        if (!(error instanceof ConditionalCheckFailedException)) return { outcome: "unknown", cause: error };
        const existing = error.Item === undefined ? null : pointerOf(error.Item);
        return { outcome: "refused", existing, sentOnce: error.$metadata.attempts === 1 };
      }
    },
    async raisePublished(at, published) {
      const command = new UpdateItemCommand({
        TableName,
        Key: toKey(pointerKey(query, at)),
        UpdateExpression: "SET published = :p",
        ConditionExpression: "attribute_not_exists(published) OR published < :p",
        ExpressionAttributeValues: { ":p": { N: String(published) } },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      });
      try {
        await client.send(command);
        return null;
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        return error.Item === undefined ? NO_POINTER : pointerOf(error.Item);
      }
    },
  };

  async function writeMeta(
    meta: MetaItem,
    condition: string,
    values: Record<string, AttributeValue>,
  ): Promise<{ readonly applied: boolean; readonly standing: MetaItem }> {
    const item = { ...toKey(metaKey(query)), revision: { N: String(meta.revision) }, body: { B: meta.body } };
    const command = new PutItemCommand({
      TableName,
      Item: item,
      ConditionExpression: condition,
      ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    });
    try {
      await client.send(command);
      return { applied: true, standing: meta };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const standing = metaOf(error.Item ?? (await read(metaKey(query))) ?? item);
      // A retried write may be refused by its own first sending.
      return { applied: isSame(standing, meta), standing };
    }
  }

  async function readSlots(at: PartitionKey, slots: readonly number[]) {
    const found = new Map<string, Item>();
    let left = slots.map((slot) => toKey(slotKey(query, at, slot)));
    for (let fruitless = 0; left.length > 0; ) {
      const Keys = left.slice(0, READ_AT_ONCE);
      const { Responses, UnprocessedKeys } = await client.send(
        new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }),
      );
      for (const item of Responses?.[TableName] ?? []) found.set(item["sk"]?.S ?? "", item);
      const unread = UnprocessedKeys?.[TableName]?.Keys ?? [];
      left = [...left.slice(READ_AT_ONCE), ...unread];
      // A throttled table answers so without an error, and the SDK does not retry it.
      fruitless = unread.length === Keys.length ? fruitless + 1 : 0;
      if (fruitless === FRUITLESS_READS) throw readThrottled();
      if (fruitless > 0) await wait(25 * 2 ** fruitless);
    }
    return slots.map((slot) => {
      const item = found.get(slotKey(query, at, slot).sk);
      return item === undefined ? null : slotItemOf(item);
    });
  }
}

const readThrottled = () =>
  externalError(
    "checkpoint-throttled",
    `DynamoDB read none of the checkpoint's items in ${FRUITLESS_READS} requests.`,
    "It is retried; raise the table's read capacity, or make it on demand.",
  );

const isSame = (a: MetaItem, b: MetaItem): boolean =>
  a.revision === b.revision && Buffer.from(a.body).equals(Buffer.from(b.body));
