import { expect, test } from "vitest";
import { judgeResponse } from "../../../lib/local/event-source-mapping/judge-response.js";
import { deliveredRecords } from "./delivered-records.js";

const records = deliveredRecords(4);
const failures = (...ids: unknown[]) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });

test.each([[undefined], [null], [{}], [{ batchItemFailures: null }], [failures()]])("%j is success", (response) => {
  expect(judgeResponse(response, records)).toEqual({ kind: "done" });
});

test("everything from the lowest reported number is to come again", () => {
  expect(judgeResponse(failures("4", "2", "3"), records)).toEqual({ kind: "partial", done: 1 });
  expect(judgeResponse(failures("1"), records)).toEqual({ kind: "partial", done: 0 });
});

test.each([
  [failures("9")],
  [failures("2", "")],
  [failures(null)],
  [{ batchItemFailures: [{ id: "2" }] }],
  [{ batchItemFailures: "2" }],
  [{ batchItemFailures: [null] }],
])("%j fails the whole batch", (response) => {
  expect(judgeResponse(response, records)).toEqual({ kind: "failed" });
});
