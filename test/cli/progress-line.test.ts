import { expect, test } from "vitest";
import { progressLine } from "../../lib/cli/progress-line.js";

test("a run says its pace, and where it knows the size also how far it is and how long the rest takes", () => {
  expect(progressLine({ records: 30_000, seconds: 10, share: 0.25, startShare: 0 })).toBe(
    "25 %, 3,000 records/s, 30s left",
  );
  expect(progressLine({ records: 30_000, seconds: 10, share: null, startShare: 0 })).toBe("3,000 records/s");
});

test("what an earlier run has read does not make this one faster", () => {
  expect(progressLine({ records: 100, seconds: 10, share: 0.75, startShare: 0.5 })).toBe(
    "75 %, 10 records/s, 10s left",
  );
  expect(progressLine({ records: 0, seconds: 0, share: 0.5, startShare: 0.5 })).toBe("50 %");
});
