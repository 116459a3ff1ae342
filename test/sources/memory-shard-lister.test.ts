import { type MemoryShardLister, memoryShardLister } from "../../lib/sources/memory-shard-lister.js";
import { shardListerContract } from "../contract/shard-lister.js";

let lister: MemoryShardLister;
let next = 1;

shardListerContract("memory", {
  start: async () => {
    lister = memoryShardLister(() => Date.now(), [{ shard: "root", parents: [], sequences: [] }]);
    return lister;
  },
  put: async (users = 1) => {
    const sequence = String(next++);
    lister.shards = lister.shards.map((shard) => ({
      ...shard,
      sequences: [...shard.sequences, sequence],
      users: { ...shard.users, [sequence]: users },
    }));
    return sequence;
  },
  split: async () => {
    const [root] = lister.shards;
    const child = (shard: string) => ({ shard, parents: ["root"], sequences: [] });
    lister.shards = [{ ...root!, closed: true }, child("left"), child("right")];
  },
});
