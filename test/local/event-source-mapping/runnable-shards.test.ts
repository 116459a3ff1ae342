import { expect, test } from "vitest";
import { runnableShards } from "../../../lib/local/event-source-mapping/runnable-shards.js";

const shard = (shardId: string, ...parents: string[]) => ({ shardId, parents, closed: false });
const ids = (begun: string[], drained: string[]) =>
  runnableShards(
    [shard("a"), shard("b"), shard("m", "a", "b"), shard("x", "forgotten")],
    new Set(begun),
    new Set(drained),
  ).map(({ shardId }) => shardId);

test("a child waits for all its parents; forgotten parents hold nobody", () => {
  expect(ids([], [])).toEqual(["a", "b", "x"]);
  expect(ids(["a", "b", "x"], ["a"])).toEqual([]);
  expect(ids(["a", "b", "x"], ["a", "b"])).toEqual(["m"]);
});
