import { Duration } from "aws-cdk-lib";
import { describe, expect, it } from "vitest";
import { columns, delta, dynamodb, kinesis, readStream, s3, string } from "../../lib/index.js";
import { actionsOf, statementsOf, synthesise } from "./support.js";

const { template } = synthesise({ heartbeat: Duration.minutes(5) });

describe("grants", () => {
  it("lets the query's function do what its checkpoint, its outputs, its stream and its failed batches need, and nothing else", () => {
    expect(actionsOf(template, /^QueryFunctionRole/)).toEqual([
      "dynamodb:BatchGetItem",
      "dynamodb:GetItem",
      "dynamodb:PutItem",
      "dynamodb:UpdateItem",
      "kinesis:DescribeStream",
      "kinesis:DescribeStreamSummary",
      "kinesis:GetRecords",
      "kinesis:GetShardIterator",
      "kinesis:ListShards",
      "logs:CreateLogStream",
      "logs:PutLogEvents",
      "s3:DeleteObject",
      "s3:GetObject",
      "s3:ListBucket",
      "s3:PutObject",
      "sqs:GetQueueAttributes",
      "sqs:GetQueueUrl",
      "sqs:SendMessage",
    ]);
  });

  it("lets the sweeper write no item", () => {
    expect(actionsOf(template, /^QuerySweeperFunctionRole/)).toEqual([
      "dynamodb:BatchGetItem",
      "dynamodb:GetItem",
      "logs:CreateLogStream",
      "logs:PutLogEvents",
      "s3:DeleteObject",
      "s3:GetObject",
      "s3:ListBucket",
      "s3:PutObject",
    ]);
  });

  it("lets the heartbeat put records and list shards", () => {
    expect(actionsOf(template, /^QueryHeartbeatFunctionRole/)).toEqual([
      "kinesis:ListShards",
      "kinesis:PutRecord",
      "logs:CreateLogStream",
      "logs:PutLogEvents",
    ]);
  });

  it("lets a query with a Delta table read and write the table's folder, and list its bucket", () => {
    const sink = delta({ path: "tables/views", bucket: "lake" });
    const plan = readStream(kinesis({ stream: "s", schema: columns({ page: string() }) }));
    const query = plan.writeStream({ queryName: "views", outputMode: "append", sink });
    const statements = statementsOf(synthesise({ query }).template, /^QueryFunctionRole/);
    const allowed = statements.filter(({ Sid }) => Sid?.startsWith("Delta"));
    expect(allowed.map(({ Action, Resource }) => [Action, JSON.stringify(Resource)])).toEqual([
      [["s3:GetObject", "s3:PutObject"], expect.stringContaining(":s3:::lake/tables/views/*")],
      ["s3:ListBucket", expect.stringContaining(':s3:::lake"')],
    ]);
  });

  it("gives no function a managed policy", () => {
    for (const role of Object.values(template.findResources("AWS::IAM::Role")))
      expect(role["Properties"].ManagedPolicyArns).toBeUndefined();
  });

  it("names resources: no statement is for everything", () => {
    for (const policy of Object.values(template.findResources("AWS::IAM::Policy")))
      for (const statement of policy["Properties"].PolicyDocument.Statement)
        expect([statement.Resource].flat(), JSON.stringify(statement)).not.toContain("*");
  });

  it("narrows checkpoint items to the query's own partition keys", () => {
    const statements = Object.values(template.findResources("AWS::IAM::Policy")).flatMap(
      (policy) => policy["Properties"].PolicyDocument.Statement as { Sid?: string; Condition?: unknown }[],
    );
    expect(statements.find(({ Sid }) => Sid === "CheckpointItems")?.Condition).toEqual({
      "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["page-views-5min", "page-views-5min#*"] },
    });
  });

  it("lets a query write to its former sinks too, where it is told of them", () => {
    const formerSinks = [s3({ prefix: "old/" }), dynamodb({ table: "old-views", key: ["page"] })];
    const statements = statementsOf(synthesise({ formerSinks }).template, /^QueryFunctionRole/);
    const text = JSON.stringify(statements);
    expect(text).toContain("/old/page-views-5min/*");
    expect(text).toContain(":table/old-views");
    expect(JSON.stringify(statementsOf(template, /^QueryFunctionRole/))).not.toContain("old");
  });
});
