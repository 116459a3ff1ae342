import { describe, expect, it } from "vitest";
import { columns, string, timestamp } from "../../lib/api/columns.js";
import { memory } from "../../lib/api/descriptors.js";
import { readStream } from "../../lib/api/read-stream.js";
import type { StatefulProcessor, StatefulProcessorHandle } from "../../lib/operators/stateful/stateful-processor.js";
import { engine, send } from "./support/engine.js";

type Key = { user: string | null };
type Out = Key & { at: number };

/** Says so when a user was silent for a minute of processing time. */
function silences(): StatefulProcessor<Key, Key, Out> {
  let handle: StatefulProcessorHandle;
  return {
    init: (given) => {
      handle = given;
    },
    handleInputRows: (_key, _rows, timers) => {
      for (const timer of handle.listTimers()) handle.deleteTimer(timer);
      handle.registerTimer(timers.getCurrentProcessingTimeInMs() + 60_000);
      return [];
    },
    handleExpiredTimer: (key, timers) => [{ ...key, at: timers.getCurrentProcessingTimeInMs() }],
  };
}

const query = readStream(memory({ name: "input", schema: columns({ t: timestamp(), user: string() }) }))
  .groupBy("user")
  .transformWithState(silences, { timeMode: "processingTime", outputMode: "update" })
  .writeStream({ queryName: "silences", outputMode: "update", sink: memory() });

const row = (user: string) => ({ t: "2024-03-01T12:00:00Z", user });

describe("a processing-time timer", () => {
  it("fires at the tick after it is due, once, and is known to the entry before", async () => {
    const e = engine(query.definition);
    let running = await e.start();
    const start = e.clock.time;
    await running.processBatch([send(1, [row("ada")])]);
    e.clock.time = start + 30_000;
    await running.processBatch([send(2, [row("bob")])]);
    expect(await running.tick()).toBeNull();
    running = await e.start();
    e.clock.time = start + 60_000;
    expect(await running.tick()).toMatchObject({ sink: { numOutputRows: 1 } });
    expect(await running.tick()).toBeNull();
    e.clock.time = start + 100_000;
    await running.tick();
    expect(e.sink.rows()).toEqual([
      { user: "ada", at: start + 60_000 },
      { user: "bob", at: start + 100_000 },
    ]);
  });

  it("is not put off by a host whose clock runs behind", async () => {
    const e = engine(query.definition);
    const running = await e.start();
    const start = e.clock.time;
    await running.processBatch([send(1, [row("ada")])]);
    e.clock.time = start + 59_000;
    await running.processBatch([send(2, [row("bob")])]);
    e.clock.time = start + 1_000;
    await running.processBatch([send(3, [row("ada")])]);
    e.clock.time = start + 60_000;
    expect(await running.tick()).toBeNull();
    e.clock.time = start + 119_000;
    await running.tick();
    expect(e.sink.rows().map(({ user }) => user)).toEqual(["bob", "ada"]);
  });
});
