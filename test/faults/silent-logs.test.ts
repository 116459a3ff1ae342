import { afterEach, expect, test, vi } from "vitest";
import {
  count,
  dynamodb,
  foreachBatch,
  kinesis,
  type Query,
  type Row,
  readStream,
  s3,
  sum,
  window,
} from "../../lib/index.js";
import { Reading } from "./queries.js";
import { type FaultWorld, put, START, startFaultWorld } from "./support.js";

let world: FaultWorld;
afterEach(async () => {
  vi.restoreAllMocks();
  await world?.stop();
});

/** In every payload: as text it must not be found in a log line, in base64 neither. */
const MARKER = "s3cr3t-4111111111111111";

const reading = (minutes: number, more: object = {}) =>
  JSON.stringify({
    eventTime: new Date(START + minutes * 60_000).toISOString(),
    device: `${MARKER}-${minutes % 3}`,
    value: minutes,
    ...more,
  });

const source = () =>
  readStream(kinesis({ stream: "readings", schema: Reading }))
    .withWatermark("eventTime", "1 minute")
    .filter((row) => {
      if (row.value === -1) throw new TypeError(`no such card: ${row.device}`);
      return true;
    })
    .groupBy(window("eventTime", "1 minute"), "device")
    .agg({ readings: count(), total: sum("value") });

const toS3 = (onError: "fail" | "malformed") =>
  source().writeStream({
    queryName: `silent-${onError}`,
    outputMode: "append",
    sink: s3({ prefix: "out/" }),
    options: { onError },
  });

const toBroken = () =>
  source().writeStream({
    queryName: "silent-foreach",
    outputMode: "append",
    sink: foreachBatch((rows: readonly Row[]) => {
      throw new Error(`cannot store ${JSON.stringify(rows)}`);
    }),
    options: { onError: "malformed" },
  });

/** The table's key is a number there: DynamoDB refuses the item and says why. */
const toRefusing = () =>
  source().writeStream({
    queryName: "silent-dynamodb",
    outputMode: "update",
    sink: dynamodb({ table: "checkpoint", key: ["device", "window"] }),
    options: { onError: "malformed" },
  });

const PAYLOADS = [
  reading(0),
  `{"device":"${MARKER}"`,
  MARKER,
  reading(1, { value: MARKER }),
  reading(2, { eventTime: MARKER }),
  reading(3, { [MARKER]: MARKER, __proto__: null }),
  reading(20),
  reading(40),
  // Late, and one at which the filter throws.
  reading(1),
  reading(41, { value: -1 }),
  reading(60),
];

async function logsOf(query: Query, expected: RegExp): Promise<string> {
  world = await startFaultWorld(1);
  process.env["POWERTOOLS_LOG_LEVEL"] = "DEBUG";
  process.env["POWERTOOLS_METRICS_DISABLED"] = "false";
  const lines: string[] = [];
  const keep = (text: unknown) => {
    lines.push(String(text));
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(keep);
  vi.spyOn(process.stderr, "write").mockImplementation(keep);
  // What a function throws, Lambda writes into the log itself.
  const thrown = (error: unknown) => {
    const { name, message, stack } = error as Error;
    lines.push(JSON.stringify({ ...(error as Error), name, message, stack }));
  };
  const deployment = await world.deploy(query, { batchSize: 8, onError: thrown });
  await put(world.stack, PAYLOADS);
  await expect.poll(() => lines.join(""), { interval: 20, timeout: 10_000 }).toMatch(expected);
  vi.restoreAllMocks();
  await deployment.stop();
  return lines.join("");
}

function expectSilence(logs: string): void {
  expect(logs.length).toBeGreaterThan(500);
  for (const form of [MARKER, Buffer.from(MARKER).toString("base64").slice(0, -4)]) expect(logs).not.toContain(form);
}

test.each([
  ["of a run with late, malformed and failing records", toS3("malformed"), /"batchId":[23]/],
  ["of a query that stops at a user function's throw", toS3("fail"), /A user function threw/],
  ["of a sink function that throws with its rows in hand", toBroken(), /foreach-batch-failed/],
  ["of a service that refuses an item and quotes it", toRefusing(), /sink-unavailable/],
])("the log lines %s hold no payload", async (_, query, expected) => {
  const logs = await logsOf(query, expected);
  expectSilence(logs);
  if (String(expected).includes("threw")) {
    expect(logs).toMatch(/"code":"user-function".*"cause":\{"name":"TypeError"/s);
    expect(logs).toMatch(/"record":\{"source":"readings","shard":"shardId-000000000000","sequence":"\d+"/);
    expect(logs).toContain("silent-logs.test.ts");
    expect(logs).toContain('"failedRecords":1');
  }
});
