import { expect, it } from "vitest";
import { memorySink } from "../../lib/sinks/memory-sink.js";
import { identityOf, outputBatch, sinkContract } from "../contract/sink.js";

const open = () => {
  const sink = memorySink();
  return { sink, world: () => sink.batches() };
};

sinkContract("memory", { open });

it("memorySink gives rows back in batch order, values as they were", async () => {
  const { sink } = open();
  await sink.publish(identityOf(2), sink.stage(outputBatch([{ id: "second", views: 9007199254740993n }])));
  await sink.publish(identityOf(1), sink.stage(outputBatch([{ id: "first", ratio: Number.NaN }])));
  expect(sink.rows()).toEqual([
    { id: "first", ratio: Number.NaN },
    { id: "second", views: 9007199254740993n },
  ]);
  expect(sink.rows("late")).toEqual([]);
});
