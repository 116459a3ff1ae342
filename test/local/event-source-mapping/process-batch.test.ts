import type { KinesisClient } from "@aws-sdk/client-kinesis";
import { expect, test } from "vitest";
import { type DeliveredRecord, sequenceOf } from "../../../lib/local/event-source-mapping/event-record.js";
import type { FailureRecord } from "../../../lib/local/event-source-mapping/failure-record.js";
import { type MappingOptions, settingsOf } from "../../../lib/local/event-source-mapping/mapping-options.js";
import { processBatch } from "../../../lib/local/event-source-mapping/process-batch.js";
import { openShardCheckpoints } from "../../../lib/local/event-source-mapping/shard-checkpoints.js";
import { jumpingClock } from "../jumping-clock.js";
import { deliveredRecords } from "./delivered-records.js";

type Settings = Partial<MappingOptions>;

/** Runs one batch of `count` records; `respond` sees the sequence numbers of each invocation. */
async function run(count: number, respond: (numbers: string[], call: number) => unknown, settings: Settings = {}) {
  const clock = jumpingClock();
  const stopping = new AbortController();
  const calls: string[] = [];
  const times: number[] = [];
  const advanced: string[] = [];
  const discarded: FailureRecord[] = [];
  const invoke = async ({ Records }: { Records: readonly DeliveredRecord[] }) => {
    const numbers = Records.map(sequenceOf);
    calls.push(numbers.join());
    times.push(clock.now());
    if (calls.length > 100) stopping.abort();
    return respond(numbers, calls.length);
  };
  const options = { invoke, kinesis: null as unknown as KinesisClient, streamName: "s", ...settings };
  const world = {
    ...options,
    streamArn: "arn",
    functionArn: "arn:f",
    onFailure: async (record: FailureRecord) => {
      await settings.onFailure?.(record);
      discarded.push(record);
    },
    onError: () => {},
    settings: settingsOf(options),
    checkpoints: openShardCheckpoints(),
    clock,
    signal: stopping.signal,
  };
  await processBatch(world, deliveredRecords(count), (done) => advanced.push(sequenceOf(done)));
  return { calls, advanced, discarded, gaps: times.slice(1).map((time, i) => time - times[i]!), end: clock.now() };
}
const fail = (ids: string[]) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });
const poison = (id: string) => (numbers: string[]) => {
  if (numbers.includes(id)) throw new Error("poison");
};
const ranges = (discarded: FailureRecord[]) =>
  discarded.map(({ requestContext, KinesisBatchInfo }) => [
    requestContext.condition,
    KinesisBatchInfo.startSequenceNumber,
    KinesisBatchInfo.endSequenceNumber,
    requestContext.approximateInvokeCount,
  ]);

test("success takes one invocation, whatever is returned where reporting is off", async () => {
  const { calls, advanced } = await run(3, () => fail(["2"]));
  expect(calls).toEqual(["1,2,3"]);
  expect(advanced).toEqual(["3"]);
});

test("a reported number comes again with everything behind it", async () => {
  const { calls, advanced } = await run(4, (_, call) => (call === 1 ? fail(["4", "3"]) : null), {
    reportBatchItemFailures: true,
  });
  expect(calls).toEqual(["1,2,3,4", "3,4"]);
  expect(advanced).toEqual(["2", "4"]);
});

test("an unknown number brings the whole batch again", async () => {
  const { calls } = await run(2, (_, call) => (call === 1 ? fail(["7"]) : null), { reportBatchItemFailures: true });
  expect(calls).toEqual(["1,2", "1,2"]);
});

test("a thrown error is repeated with growing pauses, without end by default", async () => {
  const { calls, gaps, advanced } = await run(2, (_, call) => {
    if (call < 12) throw new Error("down");
  });
  expect(calls).toHaveLength(12);
  expect(gaps).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000, 5000, 5000]);
  expect(advanced).toEqual(["2"]);
});

test("after the last retry the whole batch is discarded and reported, and counts as advanced", async () => {
  const { calls, discarded, advanced } = await run(3, poison("2"), { maximumRetryAttempts: 2 });
  expect(calls).toEqual(["1,2,3", "1,2,3", "1,2,3"]);
  expect(ranges(discarded)).toEqual([["RetryAttemptsExhausted", "1", "3", 3]]);
  expect(discarded[0]!.responseContext).toEqual({
    statusCode: 200,
    executedVersion: "$LATEST",
    functionError: "Unhandled",
  });
  expect(discarded[0]!.KinesisBatchInfo).toMatchObject({ shardId: "shardId-000000000000", batchSize: 3 });
  expect(advanced).toEqual(["3"]);
});

test("bisecting isolates the poison record, in order, and splits cost no retry", async () => {
  const { calls, discarded, advanced } = await run(8, poison("6"), {
    maximumRetryAttempts: 1,
    bisectBatchOnFunctionError: true,
  });
  expect(calls).toEqual(["1,2,3,4,5,6,7,8", "1,2,3,4", "5,6,7,8", "5,6", "5", "6", "6", "7,8"]);
  expect(ranges(discarded)).toEqual([["RetryAttemptsExhausted", "6", "6", 5]]);
  expect(advanced).toEqual(["4", "5", "6", "8"]);
});

test("with bisecting and reporting, the batch is cut at the reported number instead of the middle", async () => {
  const { calls, discarded } = await run(4, (numbers) => (numbers.includes("2") ? fail(["2"]) : null), {
    maximumRetryAttempts: 1,
    bisectBatchOnFunctionError: true,
    reportBatchItemFailures: true,
  });
  expect(calls).toEqual(["1,2,3,4", "2,3,4"]);
  expect(ranges(discarded)).toEqual([["RetryAttemptsExhausted", "2", "4", 2]]);
  expect(discarded[0]!.responseContext).toEqual({ statusCode: 200, executedVersion: "$LATEST" });
});

test("records beyond the maximum age are discarded before they are sent, also between retries", async () => {
  // Arrivals at 0, 1000, 2000 ms; the pauses of 100, 200, 400, 800 ms pass the age of the first record after 1,500 ms.
  const { calls, discarded } = await run(
    3,
    (_, call) => {
      if (call < 6) throw new Error("down");
    },
    { maximumRecordAgeMs: 1400 },
  );
  expect(calls).toEqual(["1,2,3", "1,2,3", "1,2,3", "1,2,3", "2,3", "3"]);
  expect(ranges(discarded)).toEqual([
    ["RecordAgeExceeded", "1", "1", 4],
    ["RecordAgeExceeded", "2", "2", 5],
  ]);
});

test("a throttled invocation costs no retry", async () => {
  const { calls, discarded } = await run(
    1,
    (_, call) => {
      if (call < 5) throw Object.assign(new Error("busy"), { name: "TooManyRequestsException" });
    },
    { maximumRetryAttempts: 0 },
  );
  expect(calls).toHaveLength(5);
  expect(discarded).toEqual([]);
});

test("a destination that fails is asked again before anything moves on", async () => {
  let refusals = 3;
  const { discarded, advanced } = await run(1, poison("1"), {
    maximumRetryAttempts: 0,
    onFailure: () => {
      if (refusals-- > 0) throw new Error("destination down");
    },
  });
  expect(discarded).toHaveLength(1);
  expect(advanced).toEqual(["1"]);
});
