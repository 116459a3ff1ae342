import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import { Annotations, Match, Template } from "aws-cdk-lib/assertions";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { queryStack } from "../../infra/query-stack.js";

/** Inside the project, as a user's file would be. */
const FOLDER = "test/infra/fifth.tmp";
const FIFTH = join(FOLDER, "sign-ups.ts");

beforeAll(() => {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(
    FIFTH,
    `import { columns, kinesis, readStream, s3, string } from "../../../lib/index.js";
import { queryHandler } from "../../../lib/lambda.js";

export const signUps = readStream(kinesis({ stream: "sign-ups", schema: columns({ userId: string() }) }))
  .dropDuplicates(["userId"])
  .writeStream({ queryName: "sign-ups", outputMode: "append", sink: s3({ prefix: "sign-ups/" }) });

export const handler = queryHandler(signUps);
`,
  );
  writeFileSync(join(FOLDER, "none.ts"), "export const nothing = 1;\n");
  const passed = (name: string, handler: string) =>
    writeFileSync(
      join(FOLDER, name),
      `import { columns, kinesis, readStream, s3, string } from "../../../lib/index.js";
import { queryHandler } from "../../../lib/lambda.js";
const passed = (queryName: string) =>
  readStream(kinesis({ stream: "s", schema: columns({ userId: string() }) })).writeStream({ queryName, outputMode: "append", sink: s3() });
export const query = passed("mine");
${handler}
void queryHandler;
`,
    );
  passed("without-handler.ts", "");
  passed("another-handler.ts", 'export const handler = queryHandler(passed("another"));');
  // A refusal of the plan: append mode without watermark.
  writeFileSync(
    join(FOLDER, "refused.ts"),
    `import { columns, count, kinesis, readStream, s3, string } from "../../../lib/index.js";
export const refused = (readStream(kinesis({ stream: "s", schema: columns({ userId: string() }) })).groupBy("userId") as any)
  .agg({ n: count() })
  .writeStream({ queryName: "refused", outputMode: "append", sink: s3() });
`,
  );
});
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

const app = () => new App({ context: { "aws:cdk:bundling-stacks": [] } });

describe("queryStack", () => {
  it("needs one file and one line for one more query", async () => {
    const stack = await queryStack(app(), FIFTH, { query: {} });
    expect(stack.stackName).toBe("TidemarkSignUps");
    const template = Template.fromStack(stack);
    template.resourceCountIs("AWS::Lambda::EventSourceMapping", 1);
    template.hasResourceProperties("AWS::Kinesis::Stream", { Name: "sign-ups" });
    template.hasOutput("QueryName", { Value: "sign-ups" });
  });

  it("shows what the plan warns of, and deploys nevertheless", async () => {
    const stack = await queryStack(app(), FIFTH, { query: {} });
    Annotations.fromStack(stack).hasWarning("*", Match.stringLikeRegexp("tidemark:"));
    Annotations.fromStack(stack).hasNoError("*", Match.anyValue());
  });

  it("D5: stops the synth of a file without a handler, or with that of another query", async () => {
    const synth = (file: string) => queryStack(app(), join(FOLDER, file), { query: {} });
    await expect(synth("without-handler.ts")).rejects.toThrow("handler-missing");
    await expect(synth("another-handler.ts")).rejects.toThrow(
      /\[handler-of-another-query\].*that of 'another', and the query is 'mine'/,
    );
  });

  it("stops the synth for what the plan refuses, with its code", async () => {
    await expect(queryStack(app(), join(FOLDER, "refused.ts"), { query: {} })).rejects.toMatchObject({
      name: "TidemarkError",
      domain: "user",
    });
  });

  it("refuses a file without a query", async () => {
    await expect(queryStack(app(), join(FOLDER, "none.ts"), { query: {} })).rejects.toMatchObject({
      code: "query-file-invalid",
    });
  });

  it("is called by the app for every file of functions/ that exports a query", () => {
    const lines = readFileSync("infra/app.ts", "utf8");
    for (const file of readdirSync("functions"))
      if (readFileSync(join("functions", file), "utf8").includes("queryHandler("))
        expect(lines, file).toContain(`await queryStack(app, "functions/${file}", settings);`);
  });
});
