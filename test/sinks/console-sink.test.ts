import { expect, it } from "vitest";
import { consoleSink } from "../../lib/sinks/console-sink.js";
import { identityOf, outputBatch, sinkContract } from "../contract/sink.js";

const open = () => {
  const printed: string[] = [];
  return { sink: consoleSink((text) => printed.push(text)), world: () => [...printed] };
};

sinkContract("console", { open, atLeastOnce: true });

it("consoleSink prints a header and one line per row", async () => {
  const { sink, world } = open();
  await sink.publish(identityOf(2), sink.stage(outputBatch([{ id: "a", views: 1 }])));
  expect(world()).toEqual(['-- page-views batch 2 result\n{"id":"a","eventTime":null,"views":1,"ratio":null}\n']);
});
