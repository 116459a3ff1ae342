import { decodeMeta } from "../../../lib/checkpoint/meta-codec.js";
import { openStatePartition } from "../../../lib/checkpoint/state-partition-ring.js";
import type { QueryProgress } from "../../../lib/runtime/progress.js";
import { recordsJob, type StagesFleet } from "./fleet.js";
import { DELAY_MS, type SentRow, type StagesWorld, WINDOW_MS } from "./world.js";

/** No more failures; what is frozen stays so. Everything is read, looked at, drained and counted. */
export async function finishStages(world: StagesWorld, fleet: StagesFleet): Promise<void> {
  const { source, shuffle, clock } = world;
  world.faults = { lost: 0, failed: 0 };
  world.inFlight.length = 0;
  fleet.finish();
  for (const shard of [...source.shards, ...shuffle.shards]) shard.running = false;
  for (let round = 0; round < 12 && !isDone(world); round++) {
    await readAll(world, fleet);
    world.mayLose = false;
    clock.time += 70_000;
    await run(world, fleet, { kind: "tick" });
    await readAll(world, fleet);
    if (world.violation !== null) return;
  }
  if (!isDone(world)) return world.fail("progress", "records wait that nobody takes");
  await checkWatermarks(world);
  // The source forgets what is closed, its rings retire, and then all that was ever sent comes again (S19).
  for (const shard of source.shards) shard.forgotten ||= shard.closed;
  for (let tick = 0; tick < 2; tick++) {
    clock.time += 70_000;
    await run(world, fleet, { kind: "tick" });
    await readAll(world, fleet);
  }
  if (world.gaps.size === 0)
    for (const shard of shuffle.shards)
      if (shard.records.length > 0) await run(world, fleet, recordsJob("shuffle", shard, 0, shard.records.length));
  await run(world, fleet, { kind: "drain" });
  await readAll(world, fleet);
  if (world.violation === null) checkRows(world);
}

/** A partition that stands at a gap holds its shard of the shuffle stream for ever. */
const isDone = ({ source, shuffle, gaps }: StagesWorld): boolean =>
  source.caughtUp() && (shuffle.caughtUp() || gaps.size > 0);

async function readAll(world: StagesWorld, fleet: StagesFleet): Promise<void> {
  for (let moved = true; moved && world.violation === null; ) {
    moved = false;
    for (const [kind, stream] of [
      ["source", world.source],
      ["shuffle", world.shuffle],
    ] as const)
      for (const shard of stream.deliverable()) {
        const before = shard.acknowledged;
        if (before === shard.records.length) continue;
        await run(world, fleet, recordsJob(kind, shard, before, shard.records.length));
        moved ||= shard.acknowledged > before;
      }
  }
}

async function run(world: StagesWorld, fleet: StagesFleet, job: Parameters<StagesFleet["start"]>[0]): Promise<void> {
  let over = false;
  void fleet.start(job).finally(() => {
    over = true;
  });
  for (let steps = 0; !over; steps++) {
    if (steps > 20_000) return world.fail("progress", `${job.kind} does not end`);
    await fleet.step();
  }
}

/** When all is consumed, the watermark of every partition is that of one partition (L2). */
async function checkWatermarks(world: StagesWorld): Promise<void> {
  const { sent, config, gaps } = world;
  const expected = new Date(Math.max(...sent.map(({ t }) => t)) - DELAY_MS).toISOString();
  const { incarnation } = decodeMeta((await world.log.readMeta())!.body);
  for (let partition = 0; partition < config.partitions; partition++) {
    if (gaps.size > 0 && !world.shuffle.caughtUp()) continue;
    const { log, objects, newId } = world;
    const at = { query: "q", incarnation, partition, generation: Number.MAX_SAFE_INTEGER, tables: [] };
    const state = openStatePartition({
      log,
      objects,
      newId,
      now: () => world.clock.time,
      ringSize: config.ringSize,
      ...at,
    });
    const last = (await state.recentProgress()).at(-1) as QueryProgress | undefined;
    const watermark = last?.eventTime.watermark ?? null;
    if (watermark !== expected)
      world.fail("watermark-of-one", `partition ${partition} stands at ${watermark}, one would at ${expected}`);
  }
}

/** Every row is in one result or among the late ones, once; late ones by the law of DESIGN.md section 4. */
function checkRows(world: StagesWorld): void {
  const { sent, sink, gaps, lostIn } = world;
  const seen = new Map<number, string>();
  const take = (id: number, where: string): void => {
    const before = seen.get(id);
    if (before !== undefined) world.fail("counted-once", `row ${id} is in ${before} and in ${where}`);
    seen.set(id, where);
  };
  const groups = new Set<string>();
  for (const { identity, rows } of sink.batches("result"))
    for (const row of rows) {
      const { window: of, k, n, ids } = row as { window: { start: number }; k: string; n: number; ids: number[] };
      const group = `${of.start} ${k}`;
      if (groups.has(group)) world.fail("counted-once", `the window ${group} comes twice`);
      groups.add(group);
      if (n !== ids.length) world.fail("counted-once", `${group} counts ${n}, and lists ${ids.length}`);
      for (const id of ids) take(id, `${identity.partition}/${identity.batchId} ${group}`);
    }
  for (const { identity, rows } of sink.batches("late"))
    for (const row of rows) {
      const { id } = (row as { row: { id: number } }).row;
      take(id, `late ${identity.partition}/${identity.batchId}`);
      const late = sent[id - 1]!;
      if (!mayBeLate(late, sent)) world.fail("late-by-the-law", `row ${id} is late, and no row before it is so new`);
    }
  for (const { id } of sink.batches("malformed").flatMap(({ rows }) => rows as { id: number }[]))
    world.fail("no-broken-law", `row ${id} is malformed`);
  const missing = sent.filter(({ id }) => !seen.has(id));
  if (missing.length === 0 || gaps.size > 0) return;
  const where = `rows ${missing.map(({ id }) => id).join(" ")} are nowhere`;
  if (lostIn === null) world.fail("nothing-lost", where);
  else world.fail("no-silent-loss", `${where}, and nobody says that a record of partition ${lostIn} is lost`);
}

/** A row of the source that arrived no later is newer by more than the delay, as far as the row's window goes. */
const mayBeLate = (row: SentRow, sent: readonly SentRow[]): boolean => {
  const end = Math.floor(row.t / WINDOW_MS) * WINDOW_MS + WINDOW_MS;
  return sent.some((other) => other.arrival <= row.arrival && other.t - DELAY_MS >= end);
};
