import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { memoryCheckpointLog } from "../../lib/checkpoint/memory-checkpoint-log.js";
import { col, columns, count, memory, readStream, string, timestamp, window } from "../../lib/index.js";
import { engine, seconds, send } from "../runtime/support/engine.js";

/** TRIALS-2 A1: which operator a stored state belongs to, when the query around it was rearranged. */

const Hit = columns({ t: timestamp(), src: string() });
const from = (name: string) => readStream(memory({ name, schema: Hit })).withWatermark("t", "0 seconds");
const counted = (name: string, size = "10 seconds", id?: string) =>
  from(name)
    .groupBy(window("t", size), "src")
    .agg({ n: count() }, id === undefined ? {} : { id })
    .select("src", "n");
type Branch = ReturnType<typeof counted>;
const query = (plan: Branch) =>
  plan.writeStream({ queryName: "trial", outputMode: "append", sink: memory() }).definition;

const hits = (source: string, ...times: readonly number[]) =>
  send(
    1,
    times.map((t) => ({ t: seconds(t), src: source })),
    { source },
  );

async function redeployed(before: Branch, after: Branch) {
  const e = engine(query(before));
  const first = await e.start();
  await first.processBatch([hits("web", 1, 2, 3)]);
  await first.processBatch([hits("app", 1)]);
  const second = await e.start(query(after));
  await second.drain();
  return e.sink.rows();
}

describe("A1: unnamed operators of one shape are told apart by what feeds them", () => {
  const right = [
    { src: "app", n: 1 },
    { src: "web", n: 3 },
  ];
  const sorted = (rows: readonly { readonly [name: string]: unknown }[]) =>
    [...rows].sort((a, b) => (String(a["src"]) < String(b["src"]) ? -1 : 1));

  it("with a branch put before them", async () => {
    const [web, app, tv] = [counted("web"), counted("app"), counted("tv")];
    expect(sorted(await redeployed(web.union(app), tv.union(web).union(app)))).toEqual(right);
  });

  it("with the two branches exchanged", async () => {
    const [web, app] = [counted("web"), counted("app")];
    expect(sorted(await redeployed(web.union(app), app.union(web)))).toEqual(right);
  });

  it("with another window size in one of them", async () => {
    const [web, app] = [counted("web"), counted("app")];
    expect(sorted(await redeployed(web.union(app), counted("app", "20 seconds").union(web)))).toEqual(right);
  });

  it("where the first of them was alone before", async () => {
    const e = engine(query(counted("web")));
    await (await e.start()).processBatch([hits("web", 1, 2, 3)]);
    const second = await e.start(query(counted("app").union(counted("web"))));
    await second.processBatch([hits("app", 1)]);
    await second.drain();
    expect(sorted(e.sink.rows())).toEqual(right);
  });

  it("and where one is gone its state is given to nobody", async () => {
    const e = engine(query(counted("web").union(counted("app"))));
    await (await e.start()).processBatch([hits("app", 1)]);
    await expect(e.start(query(counted("web").union(counted("tv"))))).rejects.toThrow("source-changed");
  });
});

describe("A1: a deduplication", () => {
  const distinct = (name: string) => from(name).dropDuplicates(["src"]);
  const deduped = (plan: ReturnType<typeof distinct>) =>
    plan.writeStream({ queryName: "trial", outputMode: "append", sink: memory() }).definition;

  it("does not let a row out twice when its branches are exchanged", async () => {
    const e = engine(deduped(distinct("web").union(distinct("app"))));
    await (await e.start()).processBatch([send(1, [{ t: seconds(1), src: "x" }], { source: "web" })]);
    const second = await e.start(deduped(distinct("app").union(distinct("web"))));
    await second.processBatch([send(2, [{ t: seconds(2), src: "x" }], { source: "web" })]);
    expect(e.sink.rows()).toHaveLength(1);
    await second.processBatch([send(1, [{ t: seconds(2), src: "x" }], { source: "app" })]);
    expect(e.sink.rows()).toHaveLength(2);
  });
});

describe("A1: branches of one source", () => {
  const branch = (page: string, size = "10 seconds") =>
    from("web")
      .filter((hit) => hit.src === page)
      .groupBy(window("t", size), "src")
      .agg({ n: count() })
      .select("src", "n");

  it("that only user functions tell apart are refused, with the remedy", () => {
    expect(() => query(branch("a").union(branch("b")))).toThrow(/\[operators-alike\].*fed by web.*\{ id: "web" \}/);
  });

  it("are told apart by a filter over columns, and refused where a changed one leaves two choices", async () => {
    const where = (page: string) =>
      from("web")
        .filter(col("src").eq(page))
        .groupBy(window("t", "10 seconds"), "src")
        .agg({ n: count() })
        .select("src", "n");
    const rows = [
      { t: seconds(1), src: "a" },
      { t: seconds(2), src: "b" },
      { t: seconds(3), src: "b" },
    ];
    const e = engine(query(where("a").union(where("b"))));
    await (await e.start()).processBatch([send(1, rows, { source: "web" })]);
    await expect(e.start(query(where("a").union(where("c"))))).rejects.toThrow("stored-operators-alike");
    await (await e.start(query(where("b").union(where("a"))))).drain();
    expect(e.sink.rows()).toEqual(
      expect.arrayContaining([
        { src: "a", n: 1 },
        { src: "b", n: 2 },
      ]),
    );
    expect(e.sink.rows()).toHaveLength(2);
  });
});

describe("A1: a checkpoint of a former version with two equal unnamed operators", () => {
  const former = async () => {
    const log = memoryCheckpointLog(() => 1_000_000);
    const body = new Uint8Array(readFileSync(new URL("../samples/meta-v1-equals.bin", import.meta.url)));
    await log.createMeta({ revision: 1_000_000, body });
    return engine(query(counted("web").union(counted("app"))), { log });
  };

  it("is refused, for their order says nothing now, with the ids that let them go on", async () => {
    const e = await former();
    await expect(e.start()).rejects.toThrow(
      /\[stored-operators-alike\].*by their order.*ids "aggregate:42fd73cb#1" and "aggregate:42fd73cb#2"/,
    );
  });

  it("goes on with its state once those ids say which is which", async () => {
    const e = await former();
    const named = (order: readonly ["web", "app"] | readonly ["app", "web"]) => {
      const ids = { web: "aggregate:42fd73cb#1", app: "aggregate:42fd73cb#2" };
      const [first, second] = order;
      return query(counted(first, "10 seconds", ids[first]).union(counted(second, "10 seconds", ids[second])));
    };
    await (await e.start(named(["web", "app"]))).processBatch([hits("web", 1, 2, 3)]);
    await (await e.start(named(["app", "web"]))).drain();
    expect(e.sink.rows()).toEqual([{ src: "web", n: 3 }]);
  });
});
