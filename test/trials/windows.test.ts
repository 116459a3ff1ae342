import { describe, expect, it } from "vitest";
import {
  col,
  columns,
  count,
  memory,
  type OutputMode,
  readStream,
  timestamp,
  window,
  windowOf,
} from "../../lib/index.js";
import { type Engine, engine, seconds, send } from "../runtime/support/engine.js";

/** TRIALS.md B14, B16, B19, B21–B24, B26, B27: what becomes of late rows and of restarts. Times are seconds. */

interface Counted {
  readonly delay?: number;
  readonly size: number;
  readonly slide?: number;
  readonly outputMode?: OutputMode;
  readonly settle?: boolean;
}

const input = () => readStream(memory({ name: "input", schema: columns({ t: timestamp() }) }));

const counted = ({ delay = 0, size, slide = size, outputMode = "append", settle = true }: Counted) =>
  input()
    .withWatermark("t", `${delay} seconds`)
    .groupBy(window("t", `${size} seconds`, { slide: `${slide} seconds` }))
    .agg({ n: count() })
    .writeStream({
      queryName: "trial",
      outputMode: outputMode as "append",
      sink: memory(),
      options: { noDataMicroBatches: settle },
    }).definition;

/** Sends rows as one micro-batch of an environment of its own; the new result rows as [start, n]. */
function player(e: Engine) {
  let sent = 0;
  let seen = 0;
  return async (...times: number[]): Promise<(readonly [number, unknown])[]> => {
    const delivery = send(
      sent + 1,
      times.map((t) => ({ t: seconds(t) })),
    );
    sent += times.length;
    await (await e.start()).processBatch([delivery]);
    const rows = e.sink.rows().slice(seen);
    seen += rows.length;
    return rows
      .map((row) => [(row["window"] as { start: number }).start / 1000, row["n"]] as const)
      .sort((a, b) => a[0] - b[0]);
  };
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const watermarks = ({ progress }: Engine) =>
  progress.map(({ eventTime }) => (eventTime.watermark === null ? null : Date.parse(eventTime.watermark) / 1000));

describe("B14: a late row of two sliding windows", () => {
  it("changes nothing, and is in the late output once", async () => {
    const e = engine(counted({ size: 20, slide: 10 }));
    const add = player(e);
    await add(100);
    await add(200);
    expect(await add(50)).toEqual([]);
    expect(e.sink.rows("late")).toMatchObject([
      { eventTime: 50_000, missedWindows: [{ start: 40_000 }, { start: 50_000 }] },
    ]);
  });
});

describe("B16: a late row of a window that was emitted", () => {
  it("does not make the window anew, over a restart either", async () => {
    const e = engine(counted({ size: 60 }));
    const add = player(e);
    expect(await add(10, 70)).toEqual([[0, 1]]);
    expect(await add(20)).toEqual([]);
    expect(await add(200)).toEqual([[60, 1]]);
    expect(e.sink.rows("late")).toHaveLength(1);
  });
});

describe("B19: times before 1970", () => {
  const windowsOf = async (size: number, slide: number, offset: number, ...times: number[]) => {
    const query = input()
      .select({
        t: "t",
        w: windowOf(col("t"), `${size} seconds`, { slide: `${slide} seconds`, offset: `${offset} seconds` }),
      })
      .writeStream({ queryName: "trial", outputMode: "append", sink: memory() });
    const e = engine(query.definition);
    await (await e.start()).processBatch([
      send(
        1,
        times.map((t) => ({ t: seconds(t) })),
      ),
    ]);
    return e.sink.rows().map((row) => {
      const { start, end } = row["w"] as { start: number; end: number };
      return [(row["t"] as number) / 1000, start / 1000, end / 1000];
    });
  };

  it("fall into the windows that hold them", async () => {
    expect(await windowsOf(10, 10, 0, -3, -10, -11)).toEqual([
      [-3, -10, 0],
      [-10, -10, 0],
      [-11, -20, -10],
    ]);
    expect(await windowsOf(10, 5, 0, -3)).toEqual([
      [-3, -10, 0],
      [-3, -5, 5],
    ]);
    expect(await windowsOf(10, 10, 3, 1)).toEqual([[1, -7, 3]]);
  });

  it("are not late from the start", async () => {
    const e = engine(counted({ size: 10 }));
    const add = player(e);
    expect(await add(-11, -3)).toEqual([[-20, 1]]);
    expect(await add(0)).toEqual([[-10, 1]]);
    expect(e.sink.rows("late")).toEqual([]);
  });
});

describe("B21: a new process for every batch", () => {
  const batches = [[15], [10, 12, 14], [25], [50], [50]];
  const play = async (settle: boolean) => {
    const e = engine(counted({ delay: 10, size: 5, settle }));
    const add = player(e);
    const outputs = [];
    for (const batch of batches) outputs.push(await add(...batch));
    return { e, outputs };
  };

  it("goes on with the committed watermark, without follow-up passes", async () => {
    const { e, outputs } = await play(false);
    expect(outputs).toEqual([
      [],
      [],
      [],
      [[10, 3]],
      [
        [15, 1],
        [25, 1],
      ],
    ]);
    expect(watermarks(e)).toEqual([null, 5, 5, 15, 40]);
  });

  it("emits a batch earlier with them", async () => {
    const { outputs } = await play(true);
    expect(outputs).toEqual([
      [],
      [],
      [[10, 3]],
      [
        [15, 1],
        [25, 1],
      ],
      [],
    ]);
  });
});

describe("B22: counting what was dropped", () => {
  it("holds in append mode", async () => {
    const e = engine(counted({ delay: 10, size: 5 }));
    const add = player(e);
    expect(await add(...range(10, 15))).toEqual([]);
    expect(await add(25)).toEqual([[10, 5]]);
    expect(e.progress.at(-1)!.stateOperators[0]).toMatchObject({ numRowsTotal: 2, numRowsDroppedByWatermark: 0 });
    expect(await add(10)).toEqual([]);
    expect(e.progress.at(-1)!.stateOperators[0]).toMatchObject({ numRowsTotal: 2, numRowsDroppedByWatermark: 1 });
  });

  it("holds in update mode", async () => {
    const e = engine(counted({ delay: 10, size: 5, outputMode: "update" }));
    const add = player(e);
    expect(await add(...range(10, 15))).toEqual([
      [10, 5],
      [15, 1],
    ]);
    expect(await add(25)).toEqual([[25, 1]]);
    expect(await add(10, 25)).toEqual([[25, 2]]);
    expect(e.progress.at(-1)!.stateOperators[0]).toMatchObject({ numRowsDroppedByWatermark: 1 });
  });
});

describe("B23: a commit that is lost after its output", () => {
  it("gives the same answer when its records come again", async () => {
    let lost = 0;
    const e = engine(counted({ delay: 10, size: 5 }), {
      wrapPartition: (partition) => ({
        ...partition,
        commit: async (...args) => {
          if (lost-- > 0) throw new Error("the environment died before its commit");
          return await partition.commit(...args);
        },
      }),
    });
    const add = player(e);
    expect(await add(...range(10, 15))).toEqual([]);
    expect(await add(25)).toEqual([[10, 5]]);
    lost = 1;
    const rows = [10, 27, 30].map((t) => ({ t: seconds(t) }));
    await expect((await e.start()).processBatch([send(8, rows)])).rejects.toThrow("died");
    expect(await add(10, 27, 30)).toEqual([[15, 1]]);
    expect(e.sink.rows("late")).toMatchObject([{ eventTime: 10_000 }]);
    expect(await add(17)).toEqual([]);
    expect(await add(40)).toEqual([[25, 2]]);
  });
});

describe("B24: complete mode", () => {
  it("ignores the watermark", async () => {
    const add = player(engine(counted({ delay: 10, size: 5, outputMode: "complete" })));
    expect(await add(10, 11, 12)).toEqual([[10, 3]]);
    expect(await add(25)).toEqual([
      [10, 3],
      [25, 1],
    ]);
    expect(await add(25)).toEqual([
      [10, 3],
      [25, 2],
    ]);
    expect(await add(10)).toEqual([
      [10, 4],
      [25, 2],
    ]);
  });
});

describe("B26: late groups, and late rows", () => {
  it("are two numbers", async () => {
    const e = engine(counted({ size: 5 }));
    const add = player(e);
    await add(...range(10, 21));
    await add(...range(10, 29));
    expect(e.progress.at(-1)!.stateOperators[0]).toMatchObject({ numRowsDroppedByWatermark: 2, numLateInputRows: 10 });
    expect(e.sink.rows("late")).toHaveLength(10);
  });
});

describe("B27: seeing what was dropped", () => {
  it("takes one look at the late output, and every batch's numbers add up", async () => {
    const e = engine(counted({ delay: 10, size: 5 }));
    const add = player(e);
    await add(...range(10, 15));
    await add(25);
    await add(10);
    expect(e.sink.rows("late")).toMatchObject([
      {
        row: { t: "1970-01-01T00:00:10Z" },
        source: { shard: "shard-0", sequence: "8" },
        eventTime: 10_000,
        watermark: 15_000,
        lateByMs: 5_000,
        missedWindows: [{ start: 10_000, end: 15_000 }],
        reason: "late",
      },
    ]);
    for (const { stateOperators } of e.progress) {
      const { rowsIn, accepted, numLateInputRows, withoutTime } = stateOperators[0]!;
      expect(rowsIn).toBe(accepted + numLateInputRows + withoutTime);
    }
  });
});
