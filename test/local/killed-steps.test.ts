import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { PutRecordsCommand } from "@aws-sdk/client-kinesis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dynamodbCheckpointLog } from "../../lib/checkpoint/dynamodb-checkpoint-log.js";
import { incarnationOf } from "../../lib/checkpoint/keys.js";
import { s3ObjectStore } from "../../lib/checkpoint/s3-object-store.js";
import { bundleToTemporaryFile, type TemporaryBundle } from "../../lib/cli/bundle.js";
import { childEnvironment } from "../../lib/local/child-environment.js";
import { startEventSourceMapping } from "../../lib/local/event-source-mapping/event-source-mapping.js";
import { type Stack, startStack } from "../../lib/local/stack.js";

/** The worked example, then a malformed record: two per batch, so that batch 2 closes a window and batch 3 catches a late row. */
const RECORDS = [
  ...["12:01", "12:07", "12:16", "12:03", "12:02"].map((time) => `{"eventTime":"2024-01-01T${time}:00Z","page":"/"}`),
  "not json",
];
const STEPS = ["decode", "stage", "before-commit", "after-commit", "before-publish", "after-publish", "before-answer"];
const RUNS = [
  ...STEPS.map((step) => ({ step, batch: 2 })),
  // A warm environment reads nothing: only a cold one loads.
  { step: "load", batch: 0 },
  { step: "after-commit", batch: 3 },
  { step: "before-publish", batch: 3 },
];

interface Run {
  /** Key → bytes, in base64. */
  readonly objects: ReadonlyMap<string, string>;
  readonly killed: boolean;
  /** At the moment of the kill batch `batch` stood in the log, and its output was not in the bucket. */
  readonly committedUnpublished: boolean;
}

let stack: Stack;
let bundle: TemporaryBundle;
let directory: string;

beforeAll(async () => {
  stack = await startStack();
  bundle = await bundleToTemporaryFile(fileURLToPath(new URL("functions/killable-page-views.ts", import.meta.url)));
  directory = await mkdtemp(join(tmpdir(), "tidemark-kill-"));
  await stack.createStream("killed-views");
  const Records = RECORDS.map((record) => ({ PartitionKey: "k", Data: Buffer.from(record) }));
  await stack.clients.kinesis.send(new PutRecordsCommand({ StreamName: "killed-views", Records }));
});

afterAll(async () => {
  await stack.stop();
  await bundle.remove();
  await rm(directory, { recursive: true, force: true });
});

/** The same records from the same stream, into a table and a bucket of the run's own; emulators and mapping outlive the process. */
async function run(name: string, step = "", batch = 0): Promise<Run> {
  await stack.createTable(name);
  await stack.createBucket(name);
  const objects = s3ObjectStore(stack.clients.s3, name);
  const outputs = async () => {
    const found = new Map<string, string>();
    for await (const { key } of objects.list("out/"))
      found.set(key, Buffer.from((await objects.get(key))!).toString("base64"));
    return found;
  };
  const committed = async () => {
    const log = dynamodbCheckpointLog({
      client: stack.clients.dynamodb,
      tableName: name,
      query: "killed",
      now: Date.now,
    });
    const incarnation = incarnationOf(Date.UTC(2024, 0, 1, 13));
    return (await log.readSlot({ incarnation, partition: 0 }, batch))?.batchId === batch;
  };
  let killed = false;
  let committedUnpublished = false;
  const environment = childEnvironment({
    handlerFile: bundle.file,
    variables: {
      ...stack.variables,
      TABLE: name,
      BUCKET: name,
      KILL_STEP: step,
      KILL_BATCH: String(batch),
      KILL_MARK: join(directory, name),
    },
    onOutput: () => {},
  });
  const mapping = await startEventSourceMapping({
    kinesis: stack.clients.kinesis,
    streamName: "killed-views",
    batchSize: 2,
    reportBatchItemFailures: true,
    pollMs: 10,
    backoffMs: 10,
    async invoke(event) {
      try {
        return await environment.invoke(event);
      } catch (error) {
        killed = true;
        const published = [...(await outputs()).keys()].some((key) =>
          key.includes(`-${String(batch).padStart(16, "0")}.`),
        );
        committedUnpublished ||= (await committed()) && !published;
        throw error;
      }
    },
  });
  await mapping.whenCaughtUp();
  await mapping.stop();
  await environment.stop();
  return { objects: await outputs(), killed, committedUnpublished };
}

describe("an environment killed at a step of a micro-batch", () => {
  it("leaves the same objects, byte for byte, as one that lives", async () => {
    const reference = await run("reference");
    expect(reference.killed).toBe(false);
    const contents = new Map([...reference.objects].map(([key, bytes]) => [key.split("/")[1]!, text(bytes)]));
    expect([...contents.keys()].sort()).toEqual(["killed", "killed.late", "killed.malformed"]);
    expect(contents.get("killed")).toContain('"views":2');
    expect(contents.get("killed.late")).toContain('"eventTime":"2024-01-01T12:02:00Z"');
    expect(contents.get("killed.malformed")).toContain('"not-json"');

    const runs = await Promise.all(RUNS.map(({ step, batch }) => run(`${step}-${batch}`, step, batch)));
    for (const [i, { step, batch }] of RUNS.entries()) {
      expect(runs[i]!.killed, `${step} of batch ${batch}`).toBe(true);
      expect(runs[i]!.objects, `${step} of batch ${batch}`).toEqual(reference.objects);
    }
    expect(runs.filter(({ committedUnpublished }) => committedUnpublished).length).toBeGreaterThan(0);
  });
});

const text = (base64: string): string => gunzipSync(Buffer.from(base64, "base64")).toString();
