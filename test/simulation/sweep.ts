import { sweepPartition } from "../../lib/checkpoint/sweeper.js";
import { faultyLog } from "./ports/faulty-log.js";
import { faultyObjects } from "./ports/faulty-objects.js";
import { newNetwork } from "./ports/network.js";
import type { World } from "./world.js";

/** One more sweeper, which goes on as the others do. */
export function startSweeper(world: World): void {
  const { choices, config, judge, trace } = world;
  const incarnation = world.incarnation();
  if (incarnation === "") return;
  const actor = `sweeper${world.newId()}`;
  const network = newNetwork(world, actor);
  const objects = faultyObjects(world.objects, network);
  void sweepPartition({
    log: faultyLog(world.log, network),
    objects: {
      ...objects,
      // Between its reading of the pointer and that of the manifest.
      get(key) {
        if (choices.chance(0.3)) network.stall();
        return objects.get(key);
      },
    },
    query: "q",
    incarnation,
    partition: 0,
    ringSize: config.ringSize,
    newId: world.newId,
  }).then(
    ({ deleted }) => trace(`${actor} deleted ${deleted.length}`),
    (error: { domain?: string; message: string }) => {
      if (error.domain === "external" || error.message.startsWith("simulated:")) return;
      judge.note("no-broken-law", `${actor}: ${error.message}`);
    },
  );
}
