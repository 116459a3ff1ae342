import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { columns, count, kinesis, long, memory, readStream, string, timestamp, window } from "../../lib/index.js";
import { noEventTimeDetail } from "../../lib/runtime/no-event-time.js";

const clicks = readStream(
  kinesis({ stream: "clicks", schema: columns({ eventTime: timestamp(), page: string(), n: long() }) }),
)
  .withWatermark("eventTime", "1 minute")
  .groupBy(window("eventTime", "1 minute"), "page")
  .agg({ n: count() })
  .writeStream({ queryName: "clicks", outputMode: "append", sink: memory() });

const { plan } = clicks.definition;
const operatorId = (plan as { operatorId?: string }).operatorId!;
const detail = (payload: string) =>
  noEventTimeDetail(plan)(operatorId, { source: "clicks", data: Buffer.from(payload) });

describe("noEventTimeDetail", () => {
  it("TRIALS-2 C8: names the column that is missing, and the one that was probably meant", () => {
    expect(detail('{"EventTime":"2024-01-01","Page":"/","n":3}')).toBe(
      "'eventTime' is missing; the record has 'EventTime'",
    );
    expect(detail('{"evntTime":1}')).toBe("'eventTime' is missing; the record has 'evntTime'");
    expect(detail('{"secret-of-bob":1}')).toBe("'eventTime' is missing");
    expect(detail('{"eventTime":null}')).toBe("'eventTime' is NULL");
    expect(detail("[]")).toBe("'eventTime' is NULL");
    expect(noEventTimeDetail(plan)(operatorId)).toBe("'eventTime' is NULL");
  });
});
