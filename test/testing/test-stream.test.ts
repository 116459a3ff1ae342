import { describe, expect, it } from "vitest";
import {
  columns,
  count,
  kinesis,
  long,
  memory,
  readStream,
  readTable,
  s3,
  string,
  sum,
  timestamp,
  window,
} from "../../lib/index.js";
import {
  addData,
  advanceTime,
  type CrashStep,
  checkAnswer,
  checkFails,
  checkNewAnswer,
  checkNewLate,
  checkNewMalformed,
  checkProgress,
  crashAfter,
  drain,
  restart,
  type StreamAction,
  testStream,
  tick,
} from "../../lib/testing.js";

const PageView = columns({ eventTime: timestamp(), page: string(), durationMs: long() });
const source = kinesis({ stream: "page-views", schema: PageView });

const pageViews = (delay = "10 minutes") =>
  readStream(source)
    .withWatermark("eventTime", delay)
    .groupBy(window("eventTime", "5 minutes"), "page")
    .agg({ views: count(), dwell: sum("durationMs") })
    .writeStream({ queryName: "page-views", outputMode: "append", sink: s3() });

const at = (text: string) => `2024-03-01T${text}:00Z`;
const views = (...times: string[]) =>
  addData(
    source,
    times.map((time) => ({ eventTime: at(time), page: "/", durationMs: 10 })),
  );
const closed = (from: string, to: string, n: number) => ({
  window: { start: at(from), end: at(to) },
  page: "/",
  views: n,
  dwell: n * 10,
});

/** The worked example, with something between any two of its steps. */
const workedExample = (between: readonly StreamAction[] = []) => [
  ...between,
  views("12:01", "12:07"),
  checkNewAnswer([]),
  ...between,
  views("12:16", "12:03"),
  checkNewAnswer([closed("12:00", "12:05", 2)]),
  ...between,
  views("12:02"),
  checkNewAnswer([]),
  checkNewLate([{ row: { eventTime: at("12:02") }, lateByMs: 240_000, missedWindows: [{ start: at("12:00") }] }]),
  checkAnswer([closed("12:00", "12:05", 2)]),
];

describe("a script of actions", () => {
  it("plays the worked example", () => testStream(pageViews(), workedExample()));

  it("plays it the same with a restart between any two steps", () =>
    testStream(pageViews(), workedExample([restart(), tick()])));

  it.each(["load", "stage", "commit", "publish"] satisfies CrashStep[])(
    "plays it the same when every micro-batch crashes after the step %s",
    (step) => testStream(pageViews(), workedExample([crashAfter(step)])),
  );

  it("names the step that fails and shows both sides", async () => {
    const failure = await testStream(pageViews(), [
      views("12:01", "12:20"),
      checkNewAnswer([closed("12:00", "12:05", 7)]),
    ]).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      message: expect.stringMatching(/^step 2, checkNewAnswer: /),
      actual: [expect.stringContaining('"views":1')],
      expected: [expect.stringContaining('"views":7')],
    });
  });

  it("fails on late rows, malformed records and progress that are not as expected", async () => {
    const rows = [views("12:01", "12:20"), views("12:01")];
    const fails = (action: StreamAction) =>
      expect(testStream(pageViews(), [...rows, action])).rejects.toThrow(/differs/);
    await fails(checkNewLate([]));
    await fails(checkNewLate([{ lateByMs: 1 }]));
    await fails(checkNewMalformed([{}]));
    await fails(checkProgress({ numInputRows: 7 }));
    await fails(checkAnswer([]));
  });

  it("takes payloads as they are, and shows what was malformed", () =>
    testStream(pageViews(), [
      addData(["no JSON", new Uint8Array([0xff]), { eventTime: at("12:01"), page: 7 }, { eventTime: at("12:01") }]),
      checkNewMalformed([{ reason: "not-json" }, { reason: "not-json" }, { reason: "schema-violation" }]),
      checkProgress({ malformedRows: 3, numInputRows: 1, deliveredRecords: 4 }),
    ]));

  it("reads the progress of the last commit", () =>
    testStream(pageViews(), [
      views("12:01", "12:16"),
      checkProgress({ batchId: 1, numInputRows: 2, eventTime: { watermark: "2024-03-01T12:06:00.000Z" } }),
    ]));

  it("closes what is open by a drain, after which rows are late", () =>
    testStream(pageViews(), [
      views("12:01"),
      drain(),
      checkNewAnswer([closed("12:00", "12:05", 1)]),
      views("12:02"),
      checkNewLate([{ reason: "drained" }]),
    ]));

  it("lets a changed query go on from the checkpoint of the old one, and refuses one that cannot", () => {
    const other = readStream(source)
      .withWatermark("eventTime", "10 minutes")
      .groupBy(window("eventTime", "5 minutes"))
      .agg({ views: count() }, { id: "aggregate" })
      .writeStream({ queryName: "page-views", outputMode: "update", sink: memory() });
    return testStream(pageViews(), [
      views("12:01", "12:16"),
      restart(pageViews("1 minute")),
      views("12:17"),
      checkProgress({ eventTime: { watermark: "2024-03-01T12:16:00.000Z" } }),
      checkFails(restart(other), "output-mode-changed"),
    ]);
  });

  it("waits for the other shard, and goes on at the tick that finds it silent", () =>
    testStream(pageViews(), [
      addData(source, [{ eventTime: at("12:01"), page: "/", durationMs: 10 }], { shard: "a" }),
      addData(source, [{ eventTime: at("12:30"), page: "/", durationMs: 10 }], { shard: "a" }),
      checkNewAnswer([]),
      advanceTime("1 minute"),
      tick(),
      checkNewAnswer([closed("12:00", "12:05", 1)]),
      addData(source, [{ eventTime: at("12:31"), page: "/", durationMs: 10 }], { shard: "b" }),
    ]));

  it("sends again what a throwing function left, once the query is mended", () => {
    const strict = (fails: boolean) =>
      readStream(memory({ name: "numbers", schema: columns({ n: long() }) }))
        .filter(({ n }) => {
          if (fails && n === 2) throw new Error("boom");
          return true;
        })
        .writeStream({ queryName: "numbers", outputMode: "append", sink: memory() });
    return testStream(strict(true), [
      checkFails(addData([{ n: 1 }, { n: 2 }, { n: 3 }]), /boom/),
      checkNewAnswer([{ n: 1 }]),
      restart(strict(false)),
      addData([{ n: 4 }]),
      checkNewAnswer([{ n: 2 }, { n: 3 }, { n: 4 }]),
    ]);
  });

  it("refuses a crash that nothing reaches, and rows for no source in particular", async () => {
    await expect(testStream(pageViews(), [views("12:01"), crashAfter("commit"), tick()])).rejects.toThrow(
      /crash-not-reached/,
    );
    const joined = readStream(memory({ name: "l", schema: columns({ a: long() }) }))
      .union(readStream(memory({ name: "r", schema: columns({ a: long() }) })))
      .writeStream({ queryName: "both", outputMode: "append", sink: memory() });
    await expect(testStream(joined, [addData([{ a: 1 }])])).rejects.toThrow(/source-unnamed/);
  });

  it("checks the rows of a source by their types", () => {
    // @ts-expect-error: durationMs is a long
    addData(source, [{ durationMs: "long" }]);
    addData(source, [{ eventTime: new Date(0), durationMs: 1n }, "raw"]);
  });
});

describe("fixed tables that are not part of the query", () => {
  const joined = readStream(source)
    .join(
      readTable({ name: "pages", schema: columns({ page: string(), since: timestamp() }), s3: { key: "pages.jsonl" } }),
      { type: "leftOuter", using: ["page"] },
    )
    .select("page", "since")
    .writeStream({ queryName: "joined", outputMode: "append", sink: memory() });

  it("get their rows from the test, read as those of a file are", () =>
    testStream(
      joined,
      [
        addData(source, [{ page: "/" }, { page: "/none" }]),
        checkNewAnswer([
          { page: "/", since: "2024-03-01T00:00:00Z" },
          { page: "/none", since: null },
        ]),
        restart(),
        addData(source, [{ page: "/docs" }]),
        checkNewAnswer([{ page: "/docs", since: "2024-03-02T00:00:00Z" }]),
      ],
      {
        tables: {
          pages: [
            { page: "/", since: "2024-03-01T00:00:00Z" },
            { page: "/docs", since: new Date("2024-03-02T00:00:00Z") },
          ],
        },
      },
    ));

  it("are named where the test gives none, with what to write", async () => {
    const played = testStream(joined, [addData(source, [{ page: "/" }])]);
    await expect(played).rejects.toThrow(
      '[table-kind] The table "pages" stands in s3, which a test does not read. Give its rows: testStream(query, actions, { tables: { "pages": […] } }).',
    );
    const wrong = testStream(joined, [tick()], { tables: { pages: [{ page: 7 }] } });
    await expect(wrong).rejects.toThrow('[table-row] Row 1 of the table "pages"');
  });
});
