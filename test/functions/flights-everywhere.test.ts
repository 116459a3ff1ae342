import { createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { gunzipSync } from "node:zlib";
import { PutRecordsCommand } from "@aws-sdk/client-kinesis";
import type { Context } from "aws-lambda";
import { expect, it } from "vitest";
import { type FlightTable, flightEvent, publicationOrder, readFlights } from "../../demo/flight-table.js";
import { flights } from "../../functions/flights.js";
import { s3ObjectStore } from "../../lib/checkpoint/s3-object-store.js";
import { queryHandler } from "../../lib/lambda/query-handler.js";
import { createQueryResources, deployQuery } from "../../lib/local/deployment.js";
import { inProcessEnvironment } from "../../lib/local/lambda-environment.js";
import { startStack } from "../../lib/local/stack.js";
import { cli } from "../cli/support.js";

/** `FLIGHTS=3000000 npx vitest run test/functions/flights-everywhere.test.ts` compares all of them: 3,000 batches, and longer than `npm test` may take. */
const COUNT = Number(process.env["FLIGHTS"] ?? 40_000);
const BATCH = 1_000;

interface Answer {
  readonly results: readonly string[];
  /** Where the row came from is the one thing that differs. */
  readonly late: readonly string[];
}

const payloads = (table: FlightTable): string[] =>
  Array.from(publicationOrder(table), (row) => JSON.stringify(flightEvent(table, row)));

const answerOf = (results: readonly string[], late: readonly string[]): Answer => ({
  results: results.toSorted(),
  late: late
    .map((line) => {
      const { row, eventTime, watermark, lateByMs } = JSON.parse(line) as Record<string, unknown>;
      return JSON.stringify({ row, eventTime, watermark, lateByMs });
    })
    .toSorted(),
});

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

async function overFiles(rows: readonly string[], directory: string): Promise<Answer> {
  const input = join(directory, "flights.jsonl");
  const file = createWriteStream(input);
  for (let start = 0; start < rows.length; start += 10_000)
    file.write(`${rows.slice(start, start + 10_000).join("\n")}\n`);
  file.end();
  await finished(file);
  const output = join(directory, "out");
  const query = new URL("../../functions/flights.ts", import.meta.url).pathname;
  const args = ["run", query, "--input", input, "--output", output, "--drain", "--batch-size", String(BATCH)];
  const { code, stderr } = await cli(args);
  expect(code, stderr).toBe(0);
  const read = (name: string) => linesOf(readFileSync(join(output, `${name}.jsonl`), "utf8"));
  return answerOf(read("result"), read("late"));
}

async function onTheStack(rows: readonly string[]): Promise<Answer> {
  const stack = await startStack();
  const before = { ...process.env };
  try {
    Object.assign(process.env, await createQueryResources(stack, { table: "checkpoint", bucket: "data" }), {
      POWERTOOLS_METRICS_DISABLED: "true",
      POWERTOOLS_LOG_LEVEL: "SILENT",
    });
    await stack.createStream("flights");
    for (let start = 0; start < rows.length; start += 500) {
      const Records = rows.slice(start, start + 500).map((row) => ({ PartitionKey: "k", Data: Buffer.from(row) }));
      await stack.clients.kinesis.send(new PutRecordsCommand({ StreamName: "flights", Records }));
    }
    const handler = queryHandler(flights);
    const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: "1" } as Context;
    const deployment = await deployQuery({
      stack,
      name: "flights",
      streams: ["flights"],
      function: inProcessEnvironment((event) => handler(event, context)),
      mapping: { batchSize: BATCH, batchingWindowMs: 1_000, pollMs: 10 },
      tickMs: 0,
    });
    await deployment.whenCaughtUp();
    await deployment.drain();
    await deployment.stop();
    const objects = s3ObjectStore(stack.clients.s3, "data");
    const read = async (folder: string) => {
      const lines: string[] = [];
      for await (const { key } of objects.list(`flights/${folder}/`))
        lines.push(...linesOf(gunzipSync((await objects.get(key))!).toString("utf8")));
      return lines;
    };
    return answerOf(await read("flights-hourly"), await read("flights-hourly.late"));
  } finally {
    process.env = before;
    await stack.stop();
  }
}

it(`${COUNT} flights over files and on the embedded stack, in batches of one size, are the same windows and late rows`, async () => {
  const directory = mkdtempSync(join(tmpdir(), "tidemark-flights-"));
  try {
    const rows = payloads(await readFlights(COUNT));
    const [files, stack] = [await overFiles(rows, directory), await onTheStack(rows)];
    expect(files.late.length).toBeGreaterThan(100);
    expect(stack.late).toEqual(files.late);
    expect(stack.results).toEqual(files.results);
  } finally {
    rmSync(directory, { recursive: true });
  }
}, 3_600_000);
