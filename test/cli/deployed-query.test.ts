import type { Context } from "aws-lambda";
import { expect, test } from "vitest";
import { loadQuery } from "../../lib/cli/load-query.js";
import { runCli } from "../../lib/cli/run-cli.js";
import { lastProgress, type QueryHandler, queryHandler, recentProgress } from "../../lib/lambda.js";
import { deployedStack } from "../lambda/deployed-stack.js";
import { cli, jsonLines, row, VIEWS, workspace } from "./support.js";

const deployed = deployedStack();
const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: "1" } as Context;

const WHERE = ["--table", "checkpoints", "--bucket", "results"];

test("progress and state read a deployed query, which does not notice", async () => {
  const { file } = workspace();
  const path = file(
    "views.ts",
    VIEWS.replace('kinesis({ stream: "views"', 'kafka({ topic: "views"').replace("kinesis,", "kafka,"),
  );
  const handler = queryHandler(await loadQuery(path, undefined)) as QueryHandler;
  let offset = 0;
  const deliver = (...times: string[]) => {
    const records = times.map((time) => ({
      topic: "views",
      partition: 0,
      offset: offset++,
      timestamp: Date.UTC(2024, 2, 1, 13),
      value: Buffer.from(JSON.stringify({ at: `2024-03-01T${time}:00Z`, page: "/" })).toString("base64"),
    }));
    return handler({ eventSource: "aws:kafka", records: { "views-0": records } }, context);
  };
  const env = deployed.stack.variables;
  await deliver("12:01", "12:02", "12:08");

  const progress = await cli(["progress", "views", ...WHERE, "--json"], { env });
  expect(jsonLines(progress.stdout)).toMatchObject([{ batchId: 1, numInputRows: 3 }]);
  const state = await cli(["state", path, ...WHERE, "--key", "window=2024-03-01T12:00:00Z", "--json"], { env });
  expect(jsonLines(state.stdout)).toMatchObject([{ table: "groups", row: row("12:00", "12:05", 2) }]);

  process.env = { ...process.env, ...env };
  const where = { queryName: "views", table: "checkpoints", bucket: "results" };
  expect(await lastProgress(where)).toMatchObject({ batchId: 1, numInputRows: 3 });

  await deliver("12:03");
  expect((await recentProgress(where)).map(({ batchId }) => batchId)).toEqual([1, 2]);
  const later = await cli(["state", path, ...WHERE], { env });
  expect(later.stdout).toContain("groups: 2 rows");
  expect(later.stdout).toMatch(/12:00:00Z – 2024-03-01T12:05:00Z +\/ +3 /);

  // The page of the same query: read from the checkpoint, and nothing is written.
  const stop = new AbortController();
  let printed = "";
  const ui = runCli(["ui", path, ...WHERE, "--port", "4420", "--every", "1"], {
    stdout: { write: (text) => (printed += text) },
    stderr: { write: (text) => (printed += text) },
    env,
    signal: stop.signal,
  });
  await expect.poll(() => printed, { timeout: 20_000 }).toMatch(/^Watch views: http/);
  const { body } = await fetch(`${/http\S+/.exec(printed)![0]}/events`, { signal: stop.signal });
  let told = "";
  void (async () => {
    for await (const chunk of body!) told += new TextDecoder().decode(chunk);
  })().catch(() => {});
  await expect.poll(() => told, { timeout: 20_000 }).toContain('"batchId":2');
  await expect.poll(() => told, { timeout: 20_000 }).toContain(`"start":${Date.UTC(2024, 2, 1, 12)}`);
  stop.abort();
  expect(await ui).toBe(0);
});
