import type { Fleet } from "./fleet.js";
import { produce } from "./producer.js";
import { labelOf } from "./stream.js";
import { startSweeper } from "./sweep.js";
import { HOUR, type World } from "./world.js";

/** As many things as the config says happen, each as often as its weight. */
export async function live(world: World, fleet: Fleet): Promise<void> {
  const { config, choices, clock, judge } = world;
  const events: readonly (readonly [weight: number, event: () => void | Promise<void>])[] = [
    [70, async () => void ((await fleet.step()) || fleet.invoke())],
    [9, fleet.invoke],
    [4, () => produce(world)],
    [1.5, fleet.tick],
    [100 * config.crash, fleet.kill],
    [100 * config.crash, fleet.freeze],
    [1.5, fleet.thaw],
    [1, fleet.timeOut],
    [config.reshard ? 0.7 : 0, () => reshard(world)],
    [config.deploy ? 0.7 : 0, fleet.deploy],
    [config.reset ? 0.6 : 0, () => reset(world, fleet)],
    [config.recreate ? 0.5 : 0, () => recreate(world, fleet)],
    [config.sweeping ? 1 : 0, () => startSweeper(world)],
    [config.sweeping ? 0.7 : 0, () => world.passTime(choices.pick(2) === 0 ? HOUR / 5 : 49 * HOUR)],
    [config.failed > 0 ? 0.7 : 0, () => toggleSink(world)],
    [config.lost > 0 ? 3 : 0, () => arrive(world)],
    [config.scenario.poison === undefined ? 0 : 0.7, () => mend(world, fleet)],
  ];
  const weights = events.map(([weight]) => weight);
  for (let i = 0; i < 3; i++) produce(world);
  for (let at = 0; at < config.steps && judge.first === null; at++) {
    clock.time += 5 + choices.pick(8) * 40;
    await events[choices.weighted(weights)]![1]();
  }
  if (judge.first !== null) throw judge.first;
}

/** A deploy whose user function throws no more. */
export function mend(world: World, fleet: Fleet): void {
  fleet.deploy();
  world.mendedFrom = Math.min(world.mendedFrom, fleet.newest);
}

/** A new incarnation. */
export function reset(world: World, fleet: Fleet): void {
  world.trace("reset");
  world.reset();
  world.passTime(1_000);
  fleet.cutOff();
}

/** The stream is deleted with all its records; the new one begins two minutes later. */
function recreate(world: World, fleet: Fleet): void {
  const { stream, trace } = world;
  if (stream.recreated) return;
  trace("the stream is made again");
  world.passTime(120_000);
  stream.recreate();
  fleet.clear();
  produce(world);
}

function reshard({ stream, choices, trace }: World): void {
  const open = stream.open();
  if (stream.shards.length > 8) return;
  const shard = open[choices.pick(open.length)]!;
  const other = open.find((candidate) => candidate !== shard && candidate.stream === shard.stream);
  if (other !== undefined && choices.pick(2) === 1) stream.merge(shard, other);
  else stream.split(shard);
  trace(`shards are now ${stream.open().map(labelOf).join(" ")}`);
}

function toggleSink(world: World): void {
  world.sinkDown = !world.sinkDown;
  world.trace(world.sinkDown ? "the sink goes down" : "the sink is back");
}

/** What is older than its signature is refused by the service. */
async function arrive({ inFlight, choices, clock, trace }: World): Promise<void> {
  if (inFlight.length === 0) return;
  const [sent] = inFlight.splice(choices.pick(inFlight.length), 1);
  if (clock.time - sent!.sentAt > HOUR / 4) return;
  trace("a given up write arrives");
  await sent!.apply().catch(() => undefined);
}
