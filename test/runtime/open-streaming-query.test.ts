import { describe, expect, it } from "vitest";
import {
  columns,
  count,
  long,
  memory,
  readStream,
  readTable,
  string,
  sum,
  timestamp,
  window,
} from "../../lib/index.js";
import { engine, send } from "./support/engine.js";

const events = readStream(
  memory({ name: "input", schema: columns({ at: timestamp(), page: string(), ms: long() }) }),
).withWatermark("at", "1 minute");
const write = { queryName: "views", outputMode: "append", sink: memory() } as const;
const grouped = events.groupBy(window("at", "5 minutes"), "page");
const counts = grouped.agg({ n: count() }).writeStream(write).definition;
const event = (minute: number, page: string) => ({ at: new Date(minute * 60_000).toISOString(), page, ms: 1 });

describe("opening a query on its checkpoint", () => {
  it("goes on where the last environment stopped, under one id and another run", async () => {
    const e = engine(counts);
    await (await e.start()).processBatch([send(1, [event(1, "/")])]);
    await (await e.start()).processBatch([send(2, [event(10, "/")])]);
    expect(e.sink.rows()).toMatchObject([{ page: "/", n: 1 }]);
    const [first, second] = e.progress;
    expect([second!.id, second!.batchId]).toEqual([first!.id, 2]);
    expect(second!.runId).not.toBe(first!.runId);
  });

  it("refuses a query whose state means something else", async () => {
    const e = engine(counts);
    await (await e.start()).processBatch([send(1, [event(1, "/")])]);
    const changed = grouped.agg({ n: sum("ms") }).writeStream(write).definition;
    await expect(e.start(changed)).rejects.toThrow("state-value-schema-changed");
  });

  it("keeps the watermark policy that the checkpoint began with", async () => {
    const both = (watermarkPolicy: "min" | "max") =>
      grouped.agg({ n: count() }).writeStream({ ...write, watermarkPolicy }).definition;
    const e = engine(both("min"));
    await e.start();
    const running = await e.start(both("max"));
    await running.processBatch([send(1, [event(1, "/"), event(20, "/")])]);
    expect(e.sink.rows()).toHaveLength(1);
  });

  it("reads the rows of its tables out of the query itself", async () => {
    const pages = readTable({
      name: "pages",
      schema: columns({ page: string(), topic: string() }),
      rows: [{ page: "/", topic: "home" }],
    });
    const joined = events.join(pages, { using: ["page"] }).writeStream(write).definition;
    const e = engine(joined);
    await (await e.start()).processBatch([send(1, [event(1, "/"), event(1, "/other")])]);
    expect(e.sink.rows()).toMatchObject([{ page: "/", topic: "home" }]);
  });
});
