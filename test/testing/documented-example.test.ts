import { describe, it } from "vitest";
import { columns, count, kinesis, readStream, s3, string, timestamp, window } from "../../lib/index.js";
import {
  addData,
  checkNewAnswer,
  checkNewLate,
  checkNewMalformed,
  checkProgress,
  crashAfter,
  restart,
  testStream,
} from "../../lib/testing.js";

const PageView = columns({ eventTime: timestamp(), page: string() });
const source = kinesis({ stream: "page-views", schema: PageView });

const pageViews = readStream(source)
  .withWatermark("eventTime", "10 minutes")
  .groupBy(window("eventTime", "5 minutes"), "page")
  .agg({ views: count() })
  .writeStream({ queryName: "page-views", outputMode: "append", sink: s3() });

const at = (time: string) => `2024-03-01T${time}:00Z`;

describe("page views", () => {
  it("are counted once their window is closed; what comes later is late", () =>
    testStream(pageViews, [
      addData(source, [
        { eventTime: at("12:01"), page: "/" },
        { eventTime: at("12:07"), page: "/" },
      ]),
      checkNewAnswer([]),
      crashAfter("commit"),
      addData(source, [
        { eventTime: at("12:16"), page: "/" },
        { eventTime: at("12:03"), page: "/" },
      ]),
      checkNewAnswer([{ window: { start: at("12:00"), end: at("12:05") }, page: "/", views: 2 }]),
      restart(),
      addData(source, [{ eventTime: at("12:02"), page: "/" }, "no JSON"]),
      checkNewAnswer([]),
      checkNewLate([{ row: { page: "/" }, lateByMs: 240_000 }]),
      checkNewMalformed([{ reason: "not-json" }]),
      checkProgress({ numLateInputRows: 1, eventTime: { watermark: "2024-03-01T12:06:00.000Z" } }),
    ]));
});
