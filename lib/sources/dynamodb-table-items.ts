import {
  type AttributeValue,
  type DynamoDBClient,
  ScanCommand,
  type ScanCommandOutput,
} from "@aws-sdk/client-dynamodb";
import { userError } from "../errors.js";

/** All items of a table as JSON objects, numbers as exact literals; one strongly consistent Scan, page by page. */
export async function dynamodbTableItems(
  client: Pick<DynamoDBClient, "send">,
  tableName: string,
): Promise<readonly string[]> {
  const items: string[] = [];
  for (let from: Record<string, AttributeValue> | undefined, first = true; first || from !== undefined; first = false) {
    const page: ScanCommandOutput = await client.send(
      new ScanCommand({
        TableName: tableName,
        ConsistentRead: true,
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      }),
    );
    for (const item of page.Items ?? []) items.push(json({ M: item }));
    from = page.LastEvaluatedKey;
  }
  return items;
}

/** Text and not a value, so that a number beyond 2^53 reaches the decoder with all its digits. */
function json(value: AttributeValue): string {
  if (value.S !== undefined) return JSON.stringify(value.S);
  if (value.N !== undefined) return value.N;
  if (value.BOOL !== undefined) return String(value.BOOL);
  if (value.NULL !== undefined) return "null";
  if (value.L !== undefined) return `[${value.L.map(json).join(",")}]`;
  if (value.SS !== undefined) return JSON.stringify(value.SS);
  if (value.NS !== undefined) return `[${value.NS.join(",")}]`;
  if (value.M !== undefined)
    return `{${Object.entries(value.M)
      .map(([name, member]) => `${JSON.stringify(name)}:${json(member)}`)
      .join(",")}}`;
  throw userError(
    "table-attribute",
    "A table for a join holds a binary attribute.",
    "Leave binary attributes out, or store them as text.",
  );
}
