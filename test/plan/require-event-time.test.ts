import { expect, test } from "vitest";
import { requireEventTimeType, requireWindowable } from "../../lib/plan/require-event-time.js";
import type { DataType } from "../../lib/plan/schema.js";
import { codeOf } from "./plans.js";

const field = (type: DataType) => ({ name: "at", type, nullable: true });
const judged = (require: typeof requireEventTimeType) => (type: DataType) => codeOf(() => require(field(type)));

test("timestamps and json may carry event time, and nothing else as in Spark", () => {
  expect((["timestamp", "json"] as const).map(judged(requireEventTimeType))).toEqual(["accepted", "accepted"]);
  const refused = (["timestamp_ntz", "string", "long", "window"] as const).map(judged(requireEventTimeType));
  expect(new Set(refused)).toEqual(new Set(["event-time-type"]));
});

test("a window may be grouped by the window of an aggregation below", () => {
  expect(judged(requireWindowable)("window")).toBe("accepted");
  expect(judged(requireWindowable)("string")).toBe("event-time-type");
});
