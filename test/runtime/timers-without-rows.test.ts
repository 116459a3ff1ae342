import { describe, expect, it } from "vitest";
import { columns, memory, readStream, string, timestamp } from "../../lib/index.js";
import type { StatefulProcessor, StatefulProcessorHandle } from "../../lib/operators/stateful/stateful-processor.js";
import { engine, seconds, send } from "./support/engine.js";

type Key = { user: string | null };

/** Says nothing until its third timer, each a minute after the one before. */
function patient(fired: number[]): () => StatefulProcessor<Key, Key, Key> {
  return () => {
    let handle: StatefulProcessorHandle;
    return {
      init: (given) => {
        handle = given;
      },
      handleInputRows: (_key, _rows, timers) => {
        handle.registerTimer(timers.getCurrentProcessingTimeInMs() + 60_000);
        return [];
      },
      handleExpiredTimer: (key, _timers, expired) => {
        fired.push(expired.getExpiryTimeInMs());
        if (fired.length < 3) handle.registerTimer(expired.getExpiryTimeInMs() + 60_000);
        return fired.length < 3 ? [] : [key];
      },
    };
  };
}

const queryOf = (fired: number[]) =>
  readStream(memory({ name: "input", schema: columns({ t: timestamp(), user: string() }) }))
    .groupBy("user")
    .transformWithState(patient(fired), { timeMode: "processingTime" })
    .writeStream({ queryName: "patient", outputMode: "append", sink: memory() }).definition;

describe("a timer that fires without a row", () => {
  it("is committed when all that it does is to register the next one", async () => {
    const fired: number[] = [];
    const e = engine(queryOf(fired));
    const query = await e.start();
    const start = e.clock.time;
    await query.processBatch([send(1, [{ t: seconds(1), user: "ada" }])]);
    e.clock.time = start + 60_000;
    expect(await query.tick()).not.toBeNull();
    expect(await query.tick()).toBeNull();
    e.clock.time = start + 120_000;
    await (await e.start()).tick();
    e.clock.time = start + 180_000;
    await (await e.start()).tick();
    expect(fired).toEqual([start + 60_000, start + 120_000, start + 180_000]);
    expect(e.sink.rows()).toEqual([{ user: "ada" }]);
  });
});

describe("a drain", () => {
  it("fires what waits for processing time, and shows the present time", async () => {
    const fired: number[] = [];
    const e = engine(queryOf(fired));
    const start = e.clock.time;
    await (await e.start()).processBatch([send(1, [{ t: seconds(1), user: "ada" }])]);
    const query = await e.start();
    expect(await query.drain()).not.toBeNull();
    expect(fired).toEqual([start + 60_000]);
    expect(await query.drain()).toBeNull();
  });

  it("times out the groups that wait for processing time", async () => {
    const silent = readStream(memory({ name: "input", schema: columns({ t: timestamp(), user: string() }) }))
      .groupBy("user")
      .flatMapGroupsWithState(
        (key, _rows, state) => {
          if (state.hasTimedOut) return [{ user: key.user, at: state.getCurrentProcessingTimeMs() }];
          state.setTimeoutDuration(60_000);
          return [];
        },
        { timeMode: "processingTime" },
      )
      .writeStream({ queryName: "silent", outputMode: "append", sink: memory() }).definition;
    const e = engine(silent);
    await (await e.start()).processBatch([send(1, [{ t: seconds(1), user: "ada" }])]);
    await (await e.start()).drain();
    expect(e.sink.rows()).toEqual([{ user: "ada", at: e.clock.time }]);
  });
});
