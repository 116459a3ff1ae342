import { describe, expect, it } from "vitest";
import { invocationOf } from "../../lib/lambda/events.js";

describe("an invocation", () => {
  it("is a batch of Kinesis or Kafka records by what the event holds", () => {
    expect(invocationOf({ Records: [] })).toMatchObject({ kind: "records", from: "kinesis" });
    expect(invocationOf({ eventSource: "aws:kafka", records: {} })).toMatchObject({ kind: "records", from: "kafka" });
  });

  it("C13: of a mapping with a tumbling window is refused in words, for Lambda would wait for its state", () => {
    const window = { start: "2024-03-01T12:00:00Z", end: "2024-03-01T12:05:00Z" };
    expect(() => invocationOf({ Records: [], window, state: {} })).toThrow(
      /\[tumbling-window-mapping\].*TumblingWindowInSeconds/,
    );
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
