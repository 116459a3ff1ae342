import { type Environment, newEnvironment } from "./environment.js";
import type { Fleet } from "./fleet.js";
import { mend, reset } from "./live.js";
import { type Job, TICK } from "./mapping.js";
import { produce } from "./producer.js";
import { settled } from "./scheduler.js";
import { startSweeper } from "./sweep.js";
import { HOUR, type World } from "./world.js";

/** One step of publication per round is enough to come to an end. */
const MAX_ROUNDS = 500;

/** Repeats of what is long done, to an environment that has only just started. */
const REPEATS = 2;

/**
 * No more faults: whoever is awake ends, one environment does all that is left, and who slept through it wakes to a world that
 * has moved on (or before it, to one that stood still). Then a cold start must find everything.
 */
export async function finish(world: World, fleet: Fleet): Promise<void> {
  const { config, choices, judge, plan, trace } = world;
  world.faults = { lost: 0, failed: 0 };
  world.sinkDown = false;
  trace("no more faults");
  await runAwake();
  if (config.scenario.poison !== undefined) await getStuck();
  if (config.sweeping) {
    world.passTime(49 * HOUR);
    startSweeper(world);
    if (choices.chance(0.5)) await runAwake();
  }
  const early = choices.chance(0.3);
  if (early) await wakeAll();
  await moveOn(await runRest(newEnvironment(world, "last", fleet.newest)));
  if (!early) await wakeAll();
  const cold = await runRest(newEnvironment(world, "cold", fleet.newest));
  world.stepsPerInvocation = null;
  for (let i = 0; i < REPEATS; i++) {
    const job = fleet.mapping.repeat(choices);
    if (job !== null) await runSurely(cold, job);
  }
  for (const kind of ["tick", "drain"] as const) await runSurely(cold, { ...TICK, kind });
  checkEnd(world);

  /** Each shard as far as the user's function lets it, and a look at those that are silent; then a deploy mends it. */
  async function getStuck(): Promise<void> {
    const environment = newEnvironment(world, "stuck", fleet.newest);
    for (const job of fleet.mapping.rest()) await runAlone(environment, job);
    world.passTime(5_000);
    await runAlone(environment, TICK);
    mend(world, fleet);
  }

  async function runAwake(): Promise<void> {
    for (let turn = 0; turn < 3_000 && judge.first === null; turn++) {
      world.clock.time += 5;
      if (!(await fleet.step())) break;
    }
    if (judge.first !== null) throw judge.first;
    fleet.removeAll();
  }

  async function wakeAll(): Promise<void> {
    trace("all wake");
    for (const actor of [...plan.frozen]) plan.thaw(actor);
    await runAwake();
  }

  /** Past a whole lap of the ring, where somebody sleeps: the slot and the pointer that he knows are others by then. */
  async function moveOn(last: Environment): Promise<void> {
    if (plan.frozen.size === 0 || config.ringSize > 8) return;
    let environment = last;
    for (let batch = 0; batch <= config.ringSize; batch++) {
      produce(world);
      environment = await runRest(environment);
    }
  }

  async function runRest(first: Environment): Promise<Environment> {
    let environment = first;
    for (let round = 0; !fleet.mapping.caughtUp(); round++) {
      judge.check(round < MAX_ROUNDS, "progress", () => "records are left that nobody can process");
      if (environment.refuses) {
        // What the operator does: a new incarnation.
        reset(world, fleet);
        environment = newEnvironment(world, `${environment.actor} after reset`, fleet.newest);
      }
      // Where little fits, every invocation starts cold: progress is what is recorded, not what is remembered.
      if (config.stepsPerInvocation !== null)
        environment = newEnvironment(world, `${first.actor} ${round}`, fleet.newest);
      const [job] = fleet.mapping.rest();
      if (job !== undefined) await runAlone(environment, job);
    }
    return environment;
  }

  async function runSurely(environment: Environment, job: Job): Promise<void> {
    await runAlone(environment, job);
    const { failure } = environment;
    judge.check(failure === null, "recoverable", () => `a cold start's ${job.kind} fails: ${failure}`);
  }

  async function runAlone(environment: Environment, job: Job): Promise<void> {
    const token = fleet.mapping.begin(job);
    let done: number | null = null;
    void environment.invoke(job).then((records) => {
      done = records;
    });
    await settled();
    while (done === null && judge.first === null) {
      world.clock.time += 5;
      const stepped = await fleet.step();
      if (judge.first === null) judge.check(stepped || done !== null, "progress", () => "an invocation hangs");
    }
    if (judge.first !== null) throw judge.first;
    fleet.mapping.end(token, job, done!);
  }
}

function checkEnd(world: World): void {
  const { stream, judge } = world;
  const history = world.historyOf(world.incarnation());
  world.checkPublished(history, history.batches.length, true);
  const all = stream.shards.flatMap(({ records }) => records);
  const { rows, malformed, heartbeats } = history.totals;
  judge.check(
    all.every((record) => history.consumed.has(record)) &&
      rows + malformed + heartbeats === history.consumed.size &&
      (stream.recreated || history.consumed.size === all.length),
    "accounting",
    () => `${all.length} records in the stream, ${JSON.stringify(history.totals)}`,
  );
}
