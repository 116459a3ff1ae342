import { s3ObjectStore } from "../checkpoint/s3-object-store.js";
import { userError } from "../errors.js";
import type { StaticNode } from "../plan/logical-plan.js";
import type { Row } from "../plan/schema.js";
import { decodeTableRows, jsonLinesRows } from "../sources/table-lines.js";
import type { Clients } from "./clients.js";

/** Reads the fixed tables that are not part of the query, once per cold start, whole. */
export const staticTableReader =
  (clients: Clients, ownBucket: string) =>
  async ({ name, descriptor, schema }: StaticNode): Promise<readonly Row[]> => {
    if (descriptor.kind === "dynamodb") {
      const { dynamodbTableItems } = await import("../sources/dynamodb-table-items.js");
      const items = await dynamodbTableItems(await clients.dynamodb(), String(descriptor["table"]));
      return decodeTableRows(name, items, schema);
    }
    if (descriptor.kind === "s3") {
      const bucket = String(descriptor["bucket"] ?? ownBucket);
      const key = String(descriptor["key"]);
      const bytes = await s3ObjectStore(await clients.s3(), bucket).get(key);
      if (bytes !== null) return jsonLinesRows(name, bytes, schema);
      throw userError("table-missing", `The table "${name}" has no object ${key} in ${bucket}.`, "Put it there.");
    }
    throw userError(
      "table-kind",
      `A table cannot be read from "${descriptor.kind}".`,
      "Use rows, s3 or dynamodb in readTable().",
    );
  };
