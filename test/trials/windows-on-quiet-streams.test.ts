import { describe, it } from "vitest";
import { columns, count, kinesis, memory, type RunOptions, readStream, timestamp, window } from "../../lib/index.js";
import {
  addData,
  advanceTime,
  checkAnswer,
  checkNewAnswer,
  checkNewLate,
  checkProgress,
  drain,
  restart,
  testStream,
  tick,
} from "../../lib/testing.js";
import { seconds } from "../runtime/support/engine.js";

/** TRIALS.md B29, B30, B32. Times are seconds. */

const source = kinesis({ stream: "input", schema: columns({ t: timestamp() }) });

const minutes = (options: RunOptions = {}) =>
  readStream(source)
    .withWatermark("t", "0 seconds")
    .groupBy(window("t", "60 seconds"))
    .agg({ n: count() })
    .writeStream({ queryName: "trial", outputMode: "append", sink: memory(), options });

const rows = (...times: number[]) =>
  addData(
    source,
    times.map((t) => ({ t: seconds(t) })),
  );
const minute = (start: number, n: number) => ({ window: { start: seconds(start), end: seconds(start + 60) }, n });

describe("B29: rows replayed a week later", () => {
  it("fall into the windows of their own time", () => {
    const lastWeek = Date.parse("2024-03-01T00:00:00Z") / 1000;
    return testStream(
      minutes(),
      [rows(lastWeek, lastWeek + 30, lastWeek + 90), checkNewAnswer([minute(lastWeek, 2)])],
      { startAt: "2024-03-08T00:00:00Z" },
    );
  });
});

describe("B30: the last window of a quiet stream", () => {
  const fiveQuietMinutes = Array.from({ length: 5 }, () => [advanceTime("1 minute"), tick()]).flat();

  it("stays open by default, as in Spark", () =>
    testStream(minutes(), [rows(10, 59), ...fiveQuietMinutes, checkAnswer([]), checkProgress({ batchId: 1 })]));

  it("closes once with closeOnIdle, and a row that comes after is late", () =>
    testStream(minutes({ closeOnIdle: "120 seconds" }), [
      rows(10, 59),
      ...fiveQuietMinutes,
      checkAnswer([minute(0, 2)]),
      rows(30),
      checkAnswer([minute(0, 2)]),
      checkNewLate([{ reason: "late" }]),
    ]));
});

describe("B32: a drain", () => {
  it("emits what is open once; rows after it are late with reason `drained`, also after a restart", () =>
    testStream(minutes(), [
      rows(10, 59),
      drain(),
      drain(),
      checkAnswer([minute(0, 2)]),
      restart(),
      rows(70),
      checkAnswer([minute(0, 2)]),
      checkNewLate([{ reason: "drained", source: { sequence: "3" } }]),
      checkProgress({ drainedRows: 1 }),
    ]));
});
