import { describe, expect, it } from "vitest";
import {
  columns,
  count,
  long,
  memory,
  type OutputMode,
  readStream,
  string,
  timestamp,
  window,
} from "../../lib/index.js";
import type { StatefulProcessor, ValueState } from "../../lib/operators/stateful/stateful-processor.js";
import { engine, seconds, send } from "../runtime/support/engine.js";

/** TRIALS.md D45, H77: what may change between two deployments. */

const narrow = columns({ t: timestamp(), id: string() });
const wide = columns({ t: timestamp(), id: string(), page: string(), n: long() });

describe("D45: a changed input of a deduplication", () => {
  const distinct = (schema: typeof narrow | typeof wide, keys: readonly string[], id?: string) =>
    readStream(memory({ name: "input", schema: schema as typeof wide }))
      .withWatermark("t", "10 seconds")
      .dropDuplicates(keys as ["id"], id === undefined ? {} : { id })
      .writeStream({ queryName: "trial", outputMode: "append", sink: memory() }).definition;

  it("goes on over a new column that is no key", async () => {
    const e = engine(distinct(narrow, ["id"]));
    await (await e.start()).processBatch([send(1, [{ t: seconds(1), id: "a" }])]);
    const widened = await e.start(distinct(wide, ["id"]));
    await widened.processBatch([
      send(2, [
        { t: seconds(2), id: "a", page: "/" },
        { t: seconds(2), id: "b", page: "/" },
      ]),
    ]);
    expect(e.sink.rows()).toMatchObject([{ id: "a" }, { id: "b", page: "/", n: null }]);
  });

  it("is refused over a new key, with the old and the new ones in words", async () => {
    const e = engine(distinct(wide, ["id"], "dedup"));
    await e.start();
    await expect(e.start(distinct(wide, ["id", "page"], "dedup"))).rejects.toThrow(
      /\[state-key-schema-changed\].*stored dedupe\(string\), now dedupe\(string, string\)/,
    );
  });
});

describe("H77: a changed mode or state", () => {
  const counted = (outputMode: OutputMode) =>
    readStream(memory({ name: "input", schema: narrow }))
      .withWatermark("t", "10 seconds")
      .groupBy(window("t", "1 minute"))
      .agg({ n: count() })
      .writeStream({ queryName: "trial", outputMode: outputMode as "append", sink: memory() }).definition;

  it("of output is refused with both modes named", async () => {
    const e = engine(counted("append"));
    await e.start();
    await expect(e.start(counted("update"))).rejects.toThrow(/\[output-mode-changed\].*append.*update/);
  });

  const stateful = (timeMode: "eventTime" | "processingTime", ttlMs?: number, kind: "value" | "list" = "value") => {
    const processor = (): StatefulProcessor<{ id: string | null }> => {
      let seen: ValueState<number>;
      return {
        init(handle) {
          const options = ttlMs === undefined ? {} : { ttlMs };
          if (kind === "list") handle.getListState<number>("seen", options);
          else seen = handle.getValueState<number>("seen", options);
        },
        handleInputRows: (key) => {
          seen?.update((seen.get() ?? 0) + 1);
          return [key];
        },
      };
    };
    return readStream(memory({ name: "input", schema: narrow }))
      .withWatermark("t", "10 seconds")
      .groupBy("id")
      .transformWithState(processor, { timeMode })
      .writeStream({ queryName: "trial", outputMode: "append", sink: memory() }).definition;
  };

  it.each([
    ["time mode", stateful("processingTime"), /eventTime.*processingTime/],
    ["lifetime of a state variable", stateful("eventTime", 60_000), /seen.*/],
    ["kind of a state variable", stateful("eventTime", undefined, "list"), /seen.*/],
  ])("of the %s is refused with the old and the new in words", async (_what, changed, words) => {
    const e = engine(stateful("eventTime"));
    await (await e.start()).processBatch([send(1, [{ t: seconds(1), id: "a" }])]);
    const refused = e.start(changed).then((query) => query.processBatch([send(2, [{ t: seconds(2), id: "a" }])]));
    await expect(refused).rejects.toThrow(/\[state-(key|value)-schema-changed\]/);
    await expect(refused).rejects.toThrow(words);
  });
});
