import { expect, it } from "vitest";
import { findingLog } from "../../lib/lambda/finding-log.js";
import { findingsLine } from "../../lib/lambda/metrics.js";
import type { QueryProgress } from "../../lib/runtime/progress.js";

const MINUTE = 60_000;
const START = Date.UTC(2024, 2, 1, 12);

const batch = (batchId: number, late: number): QueryProgress =>
  ({
    batchId,
    timestamp: new Date(START + batchId * MINUTE).toISOString(),
    numInputRows: 100,
    numLateInputRows: late,
    rowsIgnoredForWatermark: 0,
    malformedRows: 0,
    decodedRecords: 100,
    conflicts: 0,
    heldBackBy: null,
    eventTime: { watermark: new Date(START).toISOString() },
    durationMs: {},
    stateOperators: [],
    sources: [],
  }) as unknown as QueryProgress;

it("says each finding once while it stands, looks every five minutes, and counts errors and the step in late rows", async () => {
  const log = findingLog();
  const progress = Array.from({ length: 20 }, (_, index) => batch(index + 1, index < 16 ? 2 : 20));
  const query = { recentProgress: async () => progress };
  const now = START + 21 * MINUTE;
  const first = (await log.look(query, now))!;
  expect(first.fresh.map(({ signature }) => signature)).toEqual(["late-step"]);
  expect(first.lateRowsFactor).toBe(10);
  expect(await log.look(query, now + 4 * MINUTE)).toBeNull();
  for (let attempt = 0; attempt < 3; attempt++) log.failed({ source: "views", shard: "a", sequence: "7" });
  const second = (await log.look(query, now + 5 * MINUTE))!;
  expect(second.findings.map(({ signature }) => signature)).toEqual(["poison-record", "late-step"]);
  expect(second.fresh.map(({ signature }) => signature)).toEqual(["poison-record"]);
  expect(JSON.parse(findingsLine("views", second, now))).toMatchObject({
    query: "views",
    errorFindings: 1,
    lateRowsFactor: 10,
  });
});
