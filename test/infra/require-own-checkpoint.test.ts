import { App, Stack } from "aws-cdk-lib";
import { Table } from "aws-cdk-lib/aws-dynamodb";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { describe, expect, it } from "vitest";
import { pageViews } from "../../functions/page-views.js";
import { QueryStorage } from "../../infra/query-storage.js";
import { StreamingQuery } from "../../infra/streaming-query.js";

const app = () => new App({ context: { "aws:cdk:bundling-stacks": [] } });
const query = (stack: Stack, id: string, storage?: QueryStorage) =>
  new StreamingQuery(stack, id, {
    query: pageViews,
    entry: "functions/page-views.ts",
    streams: {},
    ...(storage === undefined ? {} : { storage }),
  });

describe("A2: two queries of one name", () => {
  it("on one storage are refused at synth", () => {
    const stack = new Stack(app(), "Test");
    const storage = new QueryStorage(stack, "Storage");
    query(stack, "One", storage);
    expect(() => query(stack, "Two", storage)).toThrow(/\[query-name-taken\].*'page-views-5min'/);
  });

  it("on one adopted table, in two stacks, likewise", () => {
    const root = app();
    const adopted = (name: string) => {
      const stack = new Stack(root, name);
      const table = Table.fromTableName(stack, "Table", "tidemark");
      const storage = new QueryStorage(stack, "Storage", { table, bucket: Bucket.fromBucketName(stack, "B", name) });
      return query(stack, "Query", storage);
    };
    adopted("first");
    expect(() => adopted("second")).toThrow("query-name-taken");
  });

  it("each with a storage of its own are two", () => {
    const root = app();
    query(new Stack(root, "Blue"), "Query");
    query(new Stack(root, "Green"), "Query");
  });
});
