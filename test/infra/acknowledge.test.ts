import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, Duration, Stack, Validations } from "aws-cdk-lib";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { AwsSolutionsChecks } from "cdk-nag";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adClicks } from "../../functions/ad-clicks.js";
import { flights } from "../../functions/flights.js";
import { orders } from "../../functions/orders.js";
import { pageViews } from "../../functions/page-views.js";
import { StreamingQuery } from "../../infra/streaming-query.js";

let outdir: string;
beforeAll(async () => {
  outdir = await mkdtemp(join(tmpdir(), "tidemark-nag-"));
});
afterAll(() => rm(outdir, { recursive: true, force: true }));

/** What cdk-nag finds and nobody has acknowledged. */
function findings(build: (app: App) => void): string {
  const app = new App({ context: { "aws:cdk:bundling-stacks": [] }, outdir });
  build(app);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  try {
    app.synth();
    return "";
  } catch {
    return readFileSync(join(outdir, "validation-report.json"), "utf8");
  }
}

describe("acknowledge", () => {
  it("leaves cdk-nag nothing to say about the example stacks, heartbeats included", () => {
    const report = findings((app) => {
      for (const query of [pageViews, flights, adClicks, orders]) {
        const stack = new Stack(app, query.definition.queryName);
        const entry = "functions/page-views.ts";
        new StreamingQuery(stack, "Query", { query, entry, heartbeat: Duration.minutes(5) });
      }
    });
    expect(report).toBe("");
  });

  it("hides nothing else: a bucket of one's own beside the query is still found", () => {
    const report = findings((app) => {
      const stack = new Stack(app, "Beside");
      new StreamingQuery(stack, "Query", { query: pageViews, entry: "functions/page-views.ts" });
      new Bucket(stack, "Careless");
    });
    expect(report).toContain("AwsSolutions-S1");
    expect(report).toContain("Beside/Careless");
  });
});
