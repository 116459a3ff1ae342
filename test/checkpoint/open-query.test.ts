import { describe, expect, it } from "vitest";
import { memoryCheckpointLog } from "../../lib/checkpoint/memory-checkpoint-log.js";
import { decodeMeta } from "../../lib/checkpoint/meta-codec.js";
import { type OpenQueryOptions, openQuery } from "../../lib/checkpoint/open-query.js";
import { checkCompatible } from "../../lib/plan/check-compatible.js";
import type { Fingerprint } from "../../lib/plan/fingerprint.js";

const schema = (more: Partial<Fingerprint> = {}, keys = ["window", "string"]): Fingerprint => ({
  version: 1,
  outputMode: "append",
  operators: [{ id: "agg", kind: "aggregate", keys, value: ["count(): long"] }],
  ...more,
});

function setting() {
  const clock = { now: 1_700_000_000_000 };
  const log = memoryCheckpointLog(() => clock.now);
  const open = (more: Partial<OpenQueryOptions> = {}) =>
    openQuery({
      log,
      query: "q",
      now: () => clock.now,
      statePartitions: 1,
      schemaOver: () => schema(),
      sink: "memory",
      checkCompatible,
      watermarkPolicy: "min",
      lateRule: "state",
      generation: 1,
      ...more,
    });
  return { clock, log, open };
}

describe("opening a query", () => {
  it("makes an incarnation once, of fixed width, and finds it again", async () => {
    const { clock, open } = setting();
    const first = await open();
    expect(first).toMatchObject({ incarnation: "001700000000000", generation: 1 });
    clock.now += 1000;
    expect((await open()).incarnation).toBe(first.incarnation);
  });

  it("gives all who open at once the same incarnation", async () => {
    const { clock, open } = setting();
    const opened = await Promise.all([1, 2, 3].map((ms) => open({ now: () => clock.now + ms })));
    expect(new Set(opened.map(({ incarnation }) => incarnation)).size).toBe(1);
  });

  it("raises the generation of newer code, after which older code is superseded", async () => {
    const { open } = setting();
    await open({ generation: 3 });
    expect((await open({ generation: 5 })).generation).toBe(5);
    await expect(open({ generation: 3 })).rejects.toThrow("superseded");
    expect((await open({ generation: 5 })).generation).toBe(5);
  });

  it("counts up where code has no versions, racers included", async () => {
    const { open } = setting();
    expect((await open({ generation: "next" })).generation).toBe(1);
    const both = await Promise.all([open({ generation: "next" }), open({ generation: "next" })]);
    expect(both.map(({ generation }) => generation).sort()).toEqual([2, 3]);
  });

  it("refuses changed keys, values or output mode, old and new side by side", async () => {
    const { open } = setting();
    await open();
    await expect(open({ schemaOver: () => schema({}, ["window", "long"]) })).rejects.toThrow(
      /state-key-schema-changed.*window, string.*window, long/,
    );
    await expect(open({ schemaOver: () => schema({ outputMode: "update" }) })).rejects.toThrow(
      /output-mode-changed.*append.*update/,
    );
  });

  it("refuses another number of state partitions", async () => {
    const { open } = setting();
    await open();
    await expect(open({ statePartitions: 4 })).rejects.toThrow("state-partitions-changed");
  });

  it("records what may change: the late rule, an added operator; and keeps the policy that it began with", async () => {
    const { log, open } = setting();
    await open();
    const added = { id: "dedupe", kind: "dedupe", keys: ["string"], value: [] };
    const stateSchema = schema({ operators: [...schema().operators, added] });
    const opened = await open({ schemaOver: () => stateSchema, watermarkPolicy: "max", lateRule: "event-time" });
    expect(opened.watermarkPolicy).toBe("min");
    expect(decodeMeta((await log.readMeta())!.body)).toMatchObject({
      stateSchema,
      watermarkPolicy: "min",
      lateRule: "event-time",
      incarnation: "001700000000000",
    });
  });

  it("writes nothing when nothing changed", async () => {
    const { log, open } = setting();
    await open();
    const before = await log.readMeta();
    await open();
    expect(await log.readMeta()).toEqual(before);
  });

  it("does not let an environment that slept over a reset put the old incarnation back", async () => {
    const before = setting();
    const after = setting();
    await before.open();
    after.clock.now += 1000;
    const { incarnation } = await after.open();
    const stale = await before.log.readMeta();
    const slept = { ...after.log, readMeta: async () => stale };
    expect((await after.open({ log: slept, generation: 2 })).incarnation).toBe(incarnation);
  });
});
