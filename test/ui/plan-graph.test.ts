import { expect, it } from "vitest";
import { columns, count, kinesis, readStream, s3, string, timestamp, window } from "../../lib/index.js";
import { planGraph } from "../../lib/ui/plan-graph.js";

it("a plan is drawn once per node, sources first, each in the column behind its inputs", () => {
  const schema = columns({ at: timestamp(), page: string() });
  const of = (stream: string) => readStream(kinesis({ stream, schema })).withWatermark("at", "1 minute");
  const { definition } = of("web")
    .union(of("app"))
    .groupBy(window("at", "1 minute"))
    .agg({ n: count() })
    .writeStream({ queryName: "q", outputMode: "append", sink: s3() });
  const steps = planGraph(definition.plan);
  expect(steps.map(({ kind, column, inputs }) => [kind, column, inputs])).toEqual([
    ["source", 0, []],
    ["withWatermark", 1, [0]],
    ["source", 0, []],
    ["withWatermark", 1, [2]],
    ["union", 2, [1, 3]],
    ["aggregate", 3, [4]],
  ]);
  expect(steps[0]).toMatchObject({ source: "web", operatorId: null });
  expect(steps[5]!.operatorId).toMatch(/^aggregate/);
  expect(steps[5]!.text).toBe("groupBy window = window(at, 1 minute) agg n = count()");
});
