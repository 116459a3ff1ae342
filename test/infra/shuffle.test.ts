import { Match } from "aws-cdk-lib/assertions";
import { describe, expect, it } from "vitest";
import { pageViews } from "../../functions/page-views.js";
import { defineQuery } from "../../lib/plan/define-query.js";
import { actionsOf, synthesise } from "./support.js";

const { definition } = pageViews;
const query = {
  warnings: [],
  definition: defineQuery({ ...definition, options: { ...definition.options, statePartitions: 4 } }),
};
const { template } = synthesise({ query });

describe("a query with four state partitions", () => {
  it("has a stream of its own between its stages, kept for 7 days and as long as the source at least", () => {
    const shuffle = { StreamModeDetails: { StreamMode: "PROVISIONED" }, ShardCount: 4, RetentionPeriodHours: 168 };
    template.hasResourceProperties("AWS::Kinesis::Stream", shuffle);
    synthesise({ query, shuffleShards: 2 }).template.hasResourceProperties("AWS::Kinesis::Stream", { ShardCount: 2 });
    expect(Object.keys(synthesise().template.findResources("AWS::Kinesis::Stream"))).toHaveLength(1);
  });

  it("reads both streams with one version of one function, the shuffle stream from its first record on and first", () => {
    const mappings = template.findResources("AWS::Lambda::EventSourceMapping");
    const [shuffled] = Object.keys(mappings).filter((id) => /Shuffle/.test(id));
    const [source] = Object.keys(mappings).filter((id) => !/Shuffle/.test(id));
    const properties = (id: string) => mappings[id]!["Properties"] as Record<string, unknown>;
    expect(properties(shuffled!)).toMatchObject({
      StartingPosition: "TRIM_HORIZON",
      ParallelizationFactor: 1,
      BisectBatchOnFunctionError: false,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
    });
    expect(properties(shuffled!)).not.toHaveProperty("MaximumRetryAttempts");
    expect(properties(shuffled!)).not.toHaveProperty("MaximumRecordAgeInSeconds");
    expect(properties(shuffled!)["FunctionName"]).toEqual(properties(source!)["FunctionName"]);
    expect(mappings[source!]!["DependsOn"]).toContain(shuffled);
  });

  it("tells the function the stream, and lets it put there", () => {
    template.hasResourceProperties("AWS::Lambda::Function", {
      Environment: {
        Variables: Match.objectLike({ TIDEMARK_SHUFFLE_STREAM: { Ref: Match.stringLikeRegexp("Shuffle") } }),
      },
    });
    expect(actionsOf(template, /QueryFunctionRole/)).toContain("kinesis:PutRecords");
    expect(actionsOf(synthesise().template, /QueryFunctionRole/)).not.toContain("kinesis:PutRecords");
  });

  it("rings for a gap, and for records that come near their end", () => {
    const alarms = Object.keys(template.findResources("AWS::CloudWatch::Alarm")).filter((id) => /Shuffle/.test(id));
    expect(alarms.map((id) => id.replace(/^.*(Shuffle(?:Gaps|Age10|Age50)).*$/, "$1")).sort()).toEqual([
      "ShuffleAge10",
      "ShuffleAge50",
      "ShuffleGaps",
    ]);
  });
});
