import { decodeHead, encodeRecord } from "../../../lib/shuffle/shuffle-codec.js";
import { isTick } from "../../../lib/shuffle/shuffle-record.js";
import { replayedChoices, seededChoices } from "../choices.js";
import { stagesConfigOf } from "./config.js";
import { finishStages } from "./finish.js";
import { newStagesFleet, type StagesFleet } from "./fleet.js";
import type { StagesViolation } from "./judge.js";
import { newStagesWorld, START, type StagesWorld } from "./world.js";

export interface StagesResult {
  readonly violation: StagesViolation | null;
  readonly decisions: readonly number[];
  readonly rows: number;
}

interface StagesOptions {
  readonly trace?: (text: string) => void;
  /** Decisions of an earlier run instead of the seed's own. */
  readonly decisions?: readonly number[];
}

/** One world of two stages, from its birth until every row is answered for. */
export async function simulateStages(
  seed: number,
  { trace = () => {}, decisions }: StagesOptions = {},
): Promise<StagesResult> {
  const choices = decisions === undefined ? seededChoices(seed) : replayedChoices(decisions);
  const world = newStagesWorld(stagesConfigOf(seed), choices, trace);
  const fleet = newStagesFleet(world);
  // Once per run the event loop has its turn.
  await new Promise((resolve) => setImmediate(resolve));
  await live(world, fleet);
  if (world.violation === null) await finishStages(world, fleet);
  if (world.violation !== null) trace(world.violation.message);
  return { violation: world.violation, decisions: choices.taken, rows: world.sent.length };
}

/** As many things as the config says happen, each as often as its weight. */
async function live(world: StagesWorld, fleet: StagesFleet): Promise<void> {
  const { config, choices, clock } = world;
  const events: readonly (readonly [weight: number, event: () => void | Promise<void>])[] = [
    [70, async () => void ((await fleet.step()) || fleet.invoke())],
    [10, fleet.invoke],
    [5, () => produce(world)],
    [3, fleet.tick],
    [100 * config.crash, fleet.kill],
    [100 * config.crash, fleet.freeze],
    [1.5, fleet.thaw],
    [config.reshard ? 0.5 : 0, () => reshard(world)],
    [config.reshard ? 0.5 : 0, () => forget(world, fleet)],
    [config.reshardShuffle ? 0.3 : 0, () => splitShuffle(world)],
    [config.deploy ? 0.5 : 0, fleet.deploy],
    [config.lost > 0 ? 2 : 0, () => arrive(world)],
    [config.strays ? 0.7 : 0, () => stray(world)],
  ];
  const weights = events.map(([weight]) => weight);
  produce(world);
  for (let at = 0; at < config.steps && world.violation === null; at++) {
    clock.time += 5 + choices.pick(8) * 100;
    await events[choices.weighted(weights)]![1]();
  }
}

/** One to four rows, some of them far behind. */
function produce({ choices, clock, sent, source }: StagesWorld): void {
  for (let count = 1 + choices.pick(4); count > 0; count--) {
    const k = String.fromCharCode(97 + choices.pick(6));
    const behind = choices.weighted([5, 3, 1]) * 9_000 + choices.pick(4) * 1_000;
    const row = { id: sent.length + 1, t: START + (clock.time - START) / 4 - behind, k };
    const data = Buffer.from(JSON.stringify({ ...row, t: new Date(row.t).toISOString() }));
    const { arrival } = source.put(choices.pick(16) / 16, data);
    sent.push({ ...row, t: Math.floor(row.t), arrival });
  }
}

function reshard({ source, choices, trace }: StagesWorld): void {
  const open = source.open();
  if (source.shards.length > 7) return;
  const at = choices.pick(open.length);
  const neighbour = open.find(({ from }) => from === open[at]!.to);
  if (neighbour !== undefined && choices.pick(2) === 1) source.merge(open[at]!, neighbour);
  else source.split(open[at]!);
  trace(
    `shards are now ${source
      .open()
      .map(({ name }) => name)
      .join(" ")}`,
  );
}

/** The source's retention is over for a closed shard; within it a tick has told that it is closed (A4). */
function forget({ source, trace }: StagesWorld, { told }: StagesFleet): void {
  for (const shard of source.shards)
    if (told.has(shard) && shard.acknowledged === shard.records.length && !shard.forgotten) {
      shard.forgotten = true;
      trace(`the source forgets ${shard.name}`);
    }
}

function splitShuffle({ shuffle, choices }: StagesWorld): void {
  const open = shuffle.open();
  if (open.length < 4) shuffle.split(open[choices.pick(open.length)]!);
}

/** What the code of before a reset sent, and nobody read. */
function stray({ shuffle, choices, config }: StagesWorld): void {
  const records = shuffle.shards.flatMap((shard) => shard.records);
  if (records.length === 0) return;
  const { head, body } = decodeHead(records[choices.pick(records.length)]!.data);
  if (isTick(head)) return;
  // The next entry of its ring, as that incarnation counted.
  const former = encodeRecord(
    { ...head, incarnation: "000000000000001", batchId: head.batchId + choices.pick(3), part: 1, parts: 1 },
    body,
  );
  shuffle.put((head.partition + 0.5) / config.partitions, former);
}

/** A write that its sender gave up. */
async function arrive({ inFlight, choices, trace }: StagesWorld): Promise<void> {
  if (inFlight.length === 0) return;
  const [send] = inFlight.splice(choices.pick(inFlight.length), 1);
  trace("a given up write arrives");
  await send!().catch(() => undefined);
}
