import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import { BATCH_ID, INCARNATION, STEP } from "./dynamodb-item.js";
import type { VersionedTable } from "./dynamodb-sink.js";

const OLDER_BATCH =
  "attribute_not_exists(#incarnation) OR #incarnation < :incarnation OR (#incarnation = :incarnation AND #batch < :batch)";
/** Items of a first step carry none. */
const EARLIER_STEP =
  "(#incarnation = :incarnation AND #batch = :batch AND (attribute_not_exists(#step) OR #step < :step))";

/** A DynamoDB table as the sink's port. An item that something else wrote counts as older than every batch. */
export function dynamoDbTable(client: Pick<DynamoDBClient, "send">, tableName: string): VersionedTable {
  return {
    putIfNewer: async (item, { incarnation, batchId, step }) => {
      const command = new PutItemCommand({
        TableName: tableName,
        Item: {
          ...(item as Record<string, AttributeValue>),
          [INCARNATION]: { S: incarnation },
          [BATCH_ID]: { N: String(batchId) },
          ...(step === 0 ? {} : { [STEP]: { N: String(step) } }),
        },
        ConditionExpression: step === 0 ? OLDER_BATCH : `${OLDER_BATCH} OR ${EARLIER_STEP}`,
        ExpressionAttributeNames: {
          "#incarnation": INCARNATION,
          "#batch": BATCH_ID,
          ...(step === 0 ? {} : { "#step": STEP }),
        },
        ExpressionAttributeValues: {
          ":incarnation": { S: incarnation },
          ":batch": { N: String(batchId) },
          ...(step === 0 ? {} : { ":step": { N: String(step) } }),
        },
      });
      try {
        await client.send(command);
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    },
  };
}
