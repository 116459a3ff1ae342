import { describe, expect, it } from "vitest";
import { invocationOf } from "../../lib/lambda/events.js";

describe("an invocation", () => {
  it("is a batch of Kinesis or Kafka records by what the event holds", () => {
    expect(invocationOf({ Records: [] })).toMatchObject({ kind: "records", from: "kinesis" });
    expect(invocationOf({ eventSource: "aws:kafka", records: {} })).toMatchObject({ kind: "records", from: "kafka" });
  });

  it("is a command by its name, and a tick by schedule", () => {
    expect(invocationOf({ tidemark: "tick" })).toEqual({ kind: "tick" });
    expect(invocationOf({ tidemark: "drain" })).toEqual({ kind: "drain" });
    expect(invocationOf({ source: "aws.events", "detail-type": "Scheduled Event" })).toEqual({ kind: "tick" });
  });

  it.each([null, undefined, "tick", {}, { tidemark: "stop" }, { source: "aws.s3" }])("is refused as %j", (event) => {
    expect(() => invocationOf(event)).toThrow("event-unknown");
  });
});
