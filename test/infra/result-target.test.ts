import { App, Stack } from "aws-cdk-lib";
import { Table } from "aws-cdk-lib/aws-dynamodb";
import { Stream } from "aws-cdk-lib/aws-kinesis";
import { describe, expect, it } from "vitest";
import {
  columns,
  count,
  dynamodb,
  kinesis,
  readStream,
  type SinkDescriptor,
  s3,
  string,
  timestamp,
  window,
} from "../../lib/index.js";
import { actionsOf, statementsOf, synthesise } from "./support.js";

const View = columns({ eventTime: timestamp(), page: string() });

const writing = (sink: SinkDescriptor, outputMode: "update" | "append" = "update") =>
  readStream(kinesis({ stream: "page-views", schema: View }))
    .withWatermark("eventTime", "10 minutes")
    .groupBy(window("eventTime", "5 minutes"), "page")
    .agg({ views: count() })
    .writeStream({ queryName: "live", outputMode, sink });

const toTable = writing(dynamodb({ table: "views-live", key: ["views", "window"] }));
const toStream = writing(kinesis({ stream: "views-closed", partitionKey: "page" }), "append");

describe("ResultTarget", () => {
  it("creates what each of several sinks writes to, and grants each under a name of its own", () => {
    const query = readStream(kinesis({ stream: "page-views", schema: View })).writeStream({
      queryName: "fanned",
      outputMode: "append",
      sinks: {
        one: dynamodb({ table: "one", key: ["page"] }),
        two: dynamodb({ table: "two", key: ["page"] }),
        raw: s3({ prefix: "raw/" }),
      },
    });
    const { template } = synthesise({ query });
    for (const TableName of ["one", "two"]) template.hasResourceProperties("AWS::DynamoDB::Table", { TableName });
    const statements = statementsOf(template, /^QueryFunctionRole/);
    const named = statements.flatMap(({ Sid }) => (Sid === undefined ? [] : [Sid]));
    expect(named).toEqual([...new Set(named)]);
    expect(JSON.stringify(statements.find(({ Sid }) => Sid === "Outputs"))).toContain("/raw/fanned/*");
  });

  it("creates the table of a dynamodb sink with keys of the columns' types", () => {
    synthesise({ query: toTable }).template.hasResourceProperties("AWS::DynamoDB::Table", {
      TableName: "views-live",
      DeletionProtectionEnabled: true,
      KeySchema: [
        { AttributeName: "views", KeyType: "HASH" },
        { AttributeName: "window", KeyType: "RANGE" },
      ],
      AttributeDefinitions: [
        { AttributeName: "views", AttributeType: "N" },
        { AttributeName: "window", AttributeType: "S" },
      ],
    });
  });

  it("grants PutItem alone on it, and side outputs in the deployment's bucket but no results there", () => {
    const { template } = synthesise({ query: toTable });
    const statements = statementsOf(template, /^QueryFunctionRole/);
    expect(statements.find(({ Sid }) => Sid === "ResultItems")?.Action).toBe("dynamodb:PutItem");
    const outputs = JSON.stringify(statements.find(({ Sid }) => Sid === "Outputs"));
    expect(outputs).toContain("/live.late/*");
    expect(outputs).toContain("/live.malformed/*");
    expect(outputs).not.toContain("/live/*");
  });

  it("creates the stream of a kinesis sink and grants PutRecords", () => {
    const { template } = synthesise({ query: toStream });
    template.hasResourceProperties("AWS::Kinesis::Stream", { Name: "views-closed" });
    expect(actionsOf(template, /^QueryFunctionRole/)).toContain("kinesis:PutRecords");
    const records = statementsOf(template, /^QueryFunctionRole/).find(({ Sid }) => Sid === "ResultRecords");
    expect(JSON.stringify(records?.Resource)).toContain("QueryResultsStream");
  });

  it("adopts a table and a stream that exist", () => {
    const app = new App();
    const other = new Stack(app, "Other");
    const table = Table.fromTableArn(other, "T", "arn:aws:dynamodb:eu-central-1:123456789012:table/views-live");
    const stream = Stream.fromStreamArn(other, "S", "arn:aws:kinesis:eu-central-1:123456789012:stream/views-closed");
    const adoptsTable = synthesise({ query: toTable, resultTable: table }).template;
    adoptsTable.resourceCountIs("AWS::DynamoDB::Table", 1);
    const granted = statementsOf(adoptsTable, /^QueryFunctionRole/).find(({ Sid }) => Sid === "ResultItems");
    expect(granted?.Resource).toBe(table.tableArn);
    synthesise({ query: toStream, resultStream: stream }).template.resourceCountIs("AWS::Kinesis::Stream", 1);
  });
});
