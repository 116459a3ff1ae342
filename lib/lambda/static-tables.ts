import { s3ObjectStore } from "../checkpoint/s3-object-store.js";
import { userError } from "../errors.js";
import type { Row } from "../plan/schema.js";
import type { StoredTable } from "../runtime/open-streaming-query.js";
import { decodeTableRows, jsonLinesRows } from "../sources/table-lines.js";
import type { Clients } from "./clients.js";

/** Reads the fixed tables that are not part of the query, once per cold start, whole. */
export const staticTableReader =
  (clients: Clients, ownBucket: string) =>
  async ({ name, descriptor, schema }: StoredTable): Promise<readonly Row[]> => {
    switch (descriptor.kind) {
      case "dynamodb": {
        const { dynamodbTableItems } = await import("../sources/dynamodb-table-items.js");
        const items = await dynamodbTableItems(await clients.dynamodb(), descriptor.table);
        return decodeTableRows(name, items, schema);
      }
      case "s3": {
        const { key, bucket = ownBucket } = descriptor;
        const bytes = await s3ObjectStore(await clients.s3(), bucket).get(key);
        if (bytes !== null) return jsonLinesRows(name, bytes, schema);
        throw userError("table-missing", `The table "${name}" has no object ${key} in ${bucket}.`, "Put it there.");
      }
    }
  };
