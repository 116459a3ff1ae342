import { expect, it } from "vitest";
import { liveBlock } from "../../demo/live-block.js";
import { newModel, nextModel } from "../../demo/live-model.js";
import type { OutputLine } from "../../lib/ui/messages.js";

const NOON = Date.UTC(2026, 10, 30, 12);
const MINUTE = 60_000;
const window = (minute: number, rows: number) => ({
  start: NOON + minute * MINUTE,
  end: NOON + (minute + 5) * MINUTE,
  groups: 2,
  rows,
});
const lateLine = (text: string, minute: number): OutputLine => ({
  text,
  length: text.length,
  object: "s3://b/k",
  batchId: 1,
  late: {
    shard: "a",
    sequence: "1",
    eventTime: NOON + minute * MINUTE,
    lateByMs: 13 * MINUTE,
    missed: [[NOON + minute * MINUTE, NOON + (minute + 5) * MINUTE]],
  },
});

it("shows open windows as bars, the watermark, late rows in red and the totals", () => {
  const progress = {
    decodedRecords: 500,
    malformedRows: 1,
    withoutTimeRows: 2,
    numLateInputRows: 4,
    sink: { numOutputRows: 7 },
    eventTime: { watermark: "2026-11-30T12:03:30.000Z" },
  } as never;
  let model = newModel("views", 1_002);
  model = nextModel(model, { type: "progress", query: "views", progress: [progress] });
  model = nextModel(model, { type: "windows", query: "views", windows: [window(5, 17), window(0, 34), window(-5, 3)] });
  model = nextModel(model, { type: "rows", query: "views", output: "late", rows: [lateLine("{}", -20)] });
  expect(liveBlock(model, 80, true)).toEqual([
    "\u001b[32mviews   watermark 2026-11-30 12:03:30\u001b[0m",
    `  11:55–12:00 ${"█".repeat(3)}${"░".repeat(31)}       3  closing`,
    `  12:00–12:05 ${"█".repeat(34)}      34  closes in 90 s`,
    `  12:05–12:10 ${"█".repeat(17)}${"░".repeat(17)}      17  closes in 7 min`,
    "",
    "",
    "",
    "\u001b[2m  \u001b[0m",
    "\u001b[31m  late  11-30 11:40:00 was 13 min behind the watermark and missed 11:40–11:45\u001b[0m",
    "",
    "",
    `${"█".repeat(10)}${"░".repeat(10)} 501 / 1,002   results 7  late 4  malformed 3`,
  ]);
});

it("keeps its height and its 80 columns whatever the payloads: escapes and a megabyte are text", () => {
  const hostile = `\u001b[2J\u0007${"x".repeat(1_000_000)}`;
  const { late: _, ...timeless } = lateLine(hostile, 0);
  let model = newModel(hostile, 1);
  model = nextModel(model, {
    type: "rows",
    query: "q",
    output: "late",
    rows: Array.from({ length: 9 }, () => timeless),
  });
  model = nextModel(model, {
    type: "windows",
    query: "q",
    windows: Array.from({ length: 40 }, (_, at) => window(at, at)),
  });
  const lines = liveBlock(model, 80, false);
  expect(lines).toHaveLength(12);
  expect(liveBlock(newModel("q", 1), 80, false)).toHaveLength(12);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none is to be there.
  expect(lines.join("")).not.toMatch(/[\u0000-\u001f]/);
  expect(lines).toContain("  and 34 more windows");
});
