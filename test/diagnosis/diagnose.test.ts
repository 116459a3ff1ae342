import { describe, expect, it } from "vitest";
import { diagnose } from "../../lib/diagnosis/diagnose.js";
import type { Finding } from "../../lib/diagnosis/finding.js";
import { REMEDIES } from "../../lib/diagnosis/remedies.js";
import { externalError } from "../../lib/errors.js";
import {
  columns,
  count,
  dynamodb,
  kafka,
  kinesis,
  readStream,
  s3,
  string,
  timestamp,
  window,
} from "../../lib/index.js";
import { memorySink } from "../../lib/sinks/memory-sink.js";
import { rows, type Scenario, scenario } from "./scenario.js";

const MINUTE = 60_000;
const schema = columns({ at: timestamp(), page: string() });
const SINK = s3();

const views = (more: object = {}, options: object = {}) =>
  readStream(kinesis({ stream: "views", schema, ...more }))
    .withWatermark("at", "2 minutes")
    .groupBy(window("at", "1 minute"), "page")
    .agg({ views: count() })
    .writeStream({ queryName: "views", outputMode: "append", sink: SINK, ...options });

/** Minute by minute: what happens in it, and then the tick. */
async function minutes(s: Scenario, many: number, each: (minute: number) => Promise<void>): Promise<void> {
  for (let minute = 0; minute < many; minute++) {
    s.clock.time += MINUTE;
    await each(minute);
    await s.tick();
  }
}

/** One finding, with its remedy. */
function only(findings: readonly Finding[], signature: Finding["signature"], subject: string | null, evidence: RegExp) {
  expect(findings.map((finding) => [finding.signature, finding.subject])).toEqual([[signature, subject]]);
  expect(findings[0]!.evidence).toMatch(evidence);
  expect(findings[0]!.remedy).toBe(REMEDIES[signature]);
}

describe("a healthy hour", () => {
  it("gives no finding in any of its minutes: two shards, a few late rows and malformed records, one restless hour", async () => {
    const s = await scenario(views(), { shards: { views: ["a", "b"] } });
    for (let step = 0; step < 180; step++) {
      s.clock.time += 20_000;
      const late = step % 30 === 29 ? [rows(s.clock.time, 20 * MINUTE)[0]!] : [];
      const broken = step % 60 === 59 ? ["no json"] : [];
      // A shard rests for four minutes of the hour, which the tick sees.
      if (step % 2 === 0 || step < 60 || step > 72)
        await s.send(step % 2 === 0 ? "a" : "b", [...rows(s.clock.time, 5_000), ...late, ...broken], 60_000);
      if (step % 3 === 2) {
        await s.tick();
        expect(await s.diagnose(), `minute ${(step + 1) / 3}`).toEqual([]);
      }
    }
    expect((await s.recent()).length).toBe(64);
  });

  it("has nothing to say of a query that has committed nothing", () => {
    expect(diagnose({ progress: [], now: 0 })).toEqual([]);
  });
});

describe("a watermark that stands", () => {
  const two = (orders: object, clicks: object) => {
    const of = (source: object) => readStream(kinesis(source as { stream: string; schema: typeof schema }));
    return of({ stream: "orders", schema, ...orders })
      .withWatermark("at", "2 minutes")
      .union(of({ stream: "clicks", schema, ...clicks }).withWatermark("at", "2 minutes"))
      .groupBy(window("at", "1 minute"), "page")
      .agg({ views: count() })
      .writeStream({ queryName: "both", outputMode: "append", sink: SINK });
  };

  it("is named idle input where one of two inputs was never heard", async () => {
    const s = await scenario(two({}, {}), { shards: { orders: ["0"], clicks: ["0"] } });
    await minutes(s, 5, () => s.send("orders/0", rows(s.clock.time)));
    only(
      await s.diagnose(),
      "idle-input",
      "clicks/*",
      /clicks\/\* has held the watermark back for 4 min: it never had a row/,
    );
  });

  it("TRIALS-2 D4: is named idle input where one of two inputs died after its first rows", async () => {
    const s = await scenario(two({}, {}), { shards: { orders: ["0"], clicks: ["0"] } });
    await s.send("clicks/0", rows(s.clock.time));
    await minutes(s, 10, () => s.send("orders/0", rows(s.clock.time)));
    only(await s.diagnose(), "idle-input", "clicks/0", /had no new record, while the others go on/);
  });

  it("is named failing shard where a shard has records and none is consumed", async () => {
    const s = await scenario(views(), { shards: { views: ["a", "b"] } });
    await s.send("b", rows(s.clock.time));
    s.listers["views"]!.shards = s.listers["views"]!.shards.map((shard) =>
      shard.shard === "b" ? { ...shard, sequences: ["11"] } : shard,
    );
    await minutes(s, 6, () => s.send("a", rows(s.clock.time)));
    only(await s.diagnose(), "failing-shard", "views/b", /none of its records is read, while the others' are/);
  });

  it("is named lagging shard where one is read, and old", async () => {
    const s = await scenario(views({ across: "min" }), { shards: { views: ["a", "b"] } });
    await minutes(s, 6, async (minute) => {
      await s.send("a", rows(s.clock.time));
      await s.send("b", rows(s.clock.time, 30 * MINUTE - minute));
    });
    const findings = await s.diagnose();
    only(
      findings.filter(({ signature }) => signature !== "late-step"),
      "lagging-shard",
      "views/b",
      /it is read, but its events are behind/,
    );
  });

  it("is named idle input where nobody looks whether a silent Kafka partition is empty", async () => {
    const query = readStream(kafka({ topic: "views", schema, across: "min", partitions: 2 }))
      .withWatermark("at", "2 minutes")
      .groupBy(window("at", "1 minute"), "page")
      .agg({ views: count() })
      .writeStream({ queryName: "views", outputMode: "append", sink: SINK });
    const s = await scenario(query, { shards: {} });
    await s.send("views/views-1", rows(s.clock.time));
    await minutes(s, 6, () => s.send("views/views-0", rows(s.clock.time)));
    only(await s.diagnose(), "idle-input", "views/views-1", /had no new record/);
  });

  it("is named clock ahead where one row of tomorrow has moved it", async () => {
    const s = await scenario(views({ maxFutureSkew: false }), { shards: { views: ["a"] } });
    await s.send("a", rows(s.clock.time, -24 * 60 * MINUTE));
    await s.send("a", rows(s.clock.time));
    expect((await s.diagnose())[0]).toMatchObject({
      signature: "clock-ahead",
      evidence: expect.stringMatching(/is 24\.0 h ahead of the clock/),
    });
  });

  it("is no finding where the skew guard keeps such rows away, and their share is told", async () => {
    const s = await scenario(views(), { shards: { views: ["a"] } });
    await s.send("a", [...rows(s.clock.time), ...rows(s.clock.time, -24 * 60 * MINUTE)]);
    only(await s.diagnose(), "clock-ahead", null, /^10 of the last 20 rows \(50 %\) are stamped too far in the future/);
  });
});

describe("rows that come late", () => {
  it("at once from one shard after its silence: a waking partition", async () => {
    const s = await scenario(views(), { shards: { views: ["a", "b"] } });
    await s.send("b", rows(s.clock.time));
    await minutes(s, 15, () => s.send("a", rows(s.clock.time)));
    await s.send("b", [...rows(s.clock.time, 12 * MINUTE), ...rows(s.clock.time, 10 * MINUTE)]);
    expect((await s.diagnose())[0]).toMatchObject({
      signature: "waking-partition",
      subject: "views/b",
      evidence: expect.stringMatching(/^20 of the 20 late rows of batch \d+ came from views\/b.* at least 15 min/),
      remedy: REMEDIES["waking-partition"],
    });
  });

  it("in a multiple of their usual share: a late step", async () => {
    const s = await scenario(views(), { shards: { views: ["a"] } });
    const lateAfter = 16;
    await minutes(s, 20, (minute) =>
      s.send("a", [...rows(s.clock.time), ...(minute < lateAfter ? [] : rows(s.clock.time, 30 * MINUTE).slice(0, 4))]),
    );
    only(await s.diagnose(), "late-step", null, /^29 % of the rows of the last 4 batches are late \(16\)/);
  });
});

describe("state without an end", () => {
  it("is named where complete mode keeps all groups", async () => {
    const query = readStream(kinesis({ stream: "views", schema }))
      .groupBy("page")
      .agg({ views: count() })
      .writeStream({ queryName: "views", outputMode: "complete", sink: dynamodb({ table: "pages", key: ["page"] }) });
    const s = await scenario(query, { shards: { views: ["a"] } });
    await minutes(s, 10, (minute) =>
      s.send(
        "a",
        rows(s.clock.time, 0).map((row, n) => ({ ...row, page: `${minute}-${n}` })),
      ),
    );
    const [finding, ...others] = await s.diagnose();
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ signature: "state-grows", remedy: REMEDIES["state-grows"] });
    expect(finding!.evidence).toMatch(/grew by 90 to 100 rows in 10 batches .*complete mode keeps every group/);
  });

  it("is named where the watermark does not move", async () => {
    const s = await scenario(views(), { shards: { views: ["a", "b"] } });
    s.listers["views"]!.shards = s.listers["views"]!.shards.map((shard) =>
      shard.shard === "b" ? { ...shard, sequences: ["1"] } : shard,
    );
    await minutes(s, 10, () => s.send("a", rows(s.clock.time)));
    expect((await s.diagnose()).map(({ signature }) => signature)).toEqual(["failing-shard", "state-grows"]);
  });
});

describe("an invocation in trouble", () => {
  it("at the same record again and again: a poison record", async () => {
    const query = readStream(kinesis({ stream: "views", schema }))
      .map((row) => {
        if (row.page === "/poison") throw new Error("no such page");
        return row;
      })
      .writeStream({ queryName: "views", outputMode: "append", sink: SINK });
    const s = await scenario(query, { shards: { views: ["a"] } });
    await s.send("a", rows(s.clock.time));
    for (let attempt = 0; attempt < 3; attempt++) await s.send("a", rows(s.clock.time, 0, { page: "/poison" }));
    only(await s.diagnose(), "poison-record", "views/a", /threw 3 times at record 11 of views\/a/);
  });

  it("near its timeout", async () => {
    let clock: Scenario["clock"] | undefined;
    const query = readStream(kinesis({ stream: "views", schema }))
      .map((row) => {
        clock!.time += 500;
        return row;
      })
      .writeStream({ queryName: "views", outputMode: "append", sink: SINK });
    const s = await scenario(query, { shards: { views: ["a"] } });
    clock = s.clock;
    await s.send("a", rows(s.clock.time), 6_000);
    only(await s.diagnose(), "near-timeout", null, /took 5000 ms of the 6000 ms .* \(83 %\)/);
  });

  it("that loses its commit to others, batch after batch: contention", async () => {
    let turn = 0;
    const s = await scenario(views(), {
      shards: { views: ["a"] },
      wrapPartition: (partition) => ({
        ...partition,
        commit: (...given) => (turn++ % 2 === 0 ? Promise.resolve("conflict" as const) : partition.commit(...given)),
      }),
    });
    await minutes(s, 10, () => s.send("a", rows(s.clock.time)));
    only(await s.diagnose(), "commit-contention", null, /lost 10 races/);
  });

  it("whose sink refuses: publishing falls behind", async () => {
    const down = {
      ...memorySink(),
      publish: () => Promise.reject(externalError("sink-unavailable", "Down.", "Wait.")),
    };
    const query = readStream(kinesis({ stream: "views", schema })).writeStream({
      queryName: "views",
      outputMode: "append",
      sink: SINK,
    });
    const s = await scenario(query, { shards: { views: ["a"] }, result: down });
    for (let batch = 0; batch < 10; batch++) await s.send("a", rows(s.clock.time));
    only(await s.diagnose(), "publishing-behind", null, /^The output of 9 committed batches is not published yet/);
  });

  it("fed with what fits no schema: a share of malformed records", async () => {
    const s = await scenario(views(), { shards: { views: ["a"] } });
    await s.send("a", [...rows(s.clock.time), ...Array.from({ length: 30 }, () => "no json")]);
    const findings = await s.diagnose();
    only(findings, "malformed-share", null, /^30 of the last 40 records \(75 %\)/);
    expect(findings[0]!.severity).toBe("error");
  });

  it("that does not come: no input", async () => {
    const s = await scenario(views(), { shards: { views: ["a"] } });
    await minutes(s, 3, () => s.send("a", rows(s.clock.time)));
    await minutes(s, 20, async () => {});
    only(await s.diagnose(), "no-input", null, /^Nothing was committed for 20 min/);
  });
});
