import {
  type AttributeValue,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import { BATCH_ID, INCARNATION } from "./dynamodb-item.js";
import type { VersionedTable } from "./dynamodb-sink.js";

/** A DynamoDB table as the sink's port. An item that something else wrote counts as older than every batch. */
export function dynamoDbTable(client: Pick<DynamoDBClient, "send">, tableName: string): VersionedTable {
  return {
    putIfNewer: async (item, { incarnation, batchId }) => {
      const command = new PutItemCommand({
        TableName: tableName,
        Item: {
          ...(item as Record<string, AttributeValue>),
          [INCARNATION]: { S: incarnation },
          [BATCH_ID]: { N: String(batchId) },
        },
        ConditionExpression:
          "attribute_not_exists(#incarnation) OR #incarnation < :incarnation OR (#incarnation = :incarnation AND #batch < :batch)",
        ExpressionAttributeNames: { "#incarnation": INCARNATION, "#batch": BATCH_ID },
        ExpressionAttributeValues: { ":incarnation": { S: incarnation }, ":batch": { N: String(batchId) } },
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
