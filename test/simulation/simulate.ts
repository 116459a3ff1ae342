import { sweepPartition } from "../../lib/checkpoint/sweeper.js";
import { replayedChoices, seededChoices } from "./choices.js";
import { configOf } from "./config.js";
import { type Environment, newEnvironment } from "./environment.js";
import { type Job, type Mapping, newMapping, TICK } from "./mapping.js";
import { faultyLog } from "./ports/faulty-log.js";
import { faultyObjects } from "./ports/faulty-objects.js";
import { newNetwork } from "./ports/network.js";
import { produce } from "./producer.js";
import { settled } from "./scheduler.js";
import { labelOf } from "./stream.js";
import { Violation } from "./violation.js";
import { HOUR, newWorld, type World } from "./world.js";

export interface RunResult {
  readonly scenario: string;
  readonly violation: Violation | null;
  readonly decisions: readonly number[];
  readonly batches: number;
  readonly kills: number;
}

export interface RunOptions {
  readonly scenario?: string | null;
  /** Decisions of an earlier run instead of the seed's own. */
  readonly decisions?: readonly number[];
  readonly trace?: (text: string) => void;
}

/** One world from its birth until everything in its stream is answered. */
export async function simulate(seed: number, options: RunOptions = {}): Promise<RunResult> {
  const config = configOf(seed, options.scenario ?? null);
  const choices = options.decisions === undefined ? seededChoices(seed) : replayedChoices(options.decisions);
  const world = newWorld(config, choices, options.trace ?? (() => {}));
  const run = newRun(world);
  // Once per run the event loop has its turn.
  await new Promise((resolve) => setImmediate(resolve));
  try {
    await run.live();
    await run.finish();
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
  }
  const violation = world.judge.first;
  if (violation !== null) world.trace(violation.message);
  return { scenario: config.scenario.name, violation, decisions: choices.taken, ...run.counts };
}

function newRun(world: World) {
  const { config, choices, clock, plan, stream, judge, trace } = world;
  const counts = { batches: 0, kills: 0 };
  const environments = new Map<string, Environment>();
  const giveUp = new Map<string, () => void>();
  let mapping: Mapping = newMapping(stream, config);
  let names = 0;
  let newest = 1;
  let sweepers = 0;

  const events: readonly (readonly [weight: number, event: () => void | Promise<void>])[] = [
    [70, proceed],
    [9, invoke],
    [4, () => produce(world)],
    [1.5, tick],
    [100 * config.crash, kill],
    [100 * config.crash, freeze],
    [1.5, thaw],
    [1, timeOut],
    [config.reshard ? 0.7 : 0, reshard],
    [config.deploy ? 0.7 : 0, deploy],
    [config.reset ? 0.6 : 0, reset],
    [config.recreate ? 0.5 : 0, recreate],
    [config.sweeping ? 1 : 0, sweep],
    [config.sweeping ? 0.7 : 0, () => passTime(choices.pick(2) === 0 ? HOUR / 5 : 49 * HOUR)],
    [config.failed > 0 ? 0.7 : 0, toggleSink],
    [world.config.lost > 0 ? 3 : 0, arrive],
    [config.scenario.poison === undefined ? 0 : 0.7, mend],
  ];

  world.freeze = putToSleep;
  return { live, finish, counts };

  async function live(): Promise<void> {
    for (let i = 0; i < 3; i++) produce(world);
    for (let at = 0; at < config.steps && judge.first === null; at++) {
      clock.time += 5 + choices.pick(8) * 40;
      await events[choices.weighted(events.map(([weight]) => weight))]![1]();
    }
    if (judge.first !== null) throw judge.first;
  }

  /**
   * No more faults: whoever is awake ends, one environment does all that is left, and who slept through it wakes to a world that
   * has moved on (or before it, to one that stood still). Then a cold start must find everything.
   */
  async function finish(): Promise<void> {
    world.faults = { lost: 0, failed: 0 };
    world.sinkDown = false;
    trace("no more faults");
    await runAwake();
    if (config.scenario.poison !== undefined) await getStuck();
    if (config.sweeping) {
      passTime(49 * HOUR);
      sweep();
      if (choices.chance(0.5)) await runAwake();
    }
    const early = choices.chance(0.3);
    if (early) await wakeAll();
    await moveOn(await runRest(newEnvironment(world, "last", newest)));
    if (!early) await wakeAll();
    const cold = await runRest(newEnvironment(world, "cold", newest));
    for (const kind of ["tick", "drain"] as const) {
      await runAlone(cold, { ...TICK, kind });
      judge.check(cold.failure === null, "recoverable", () => `a cold start's ${kind} fails: ${cold.failure}`);
    }
    checkEnd();
  }

  /** Each shard as far as the user's function lets it, and a look at those that are silent; then a deploy mends it. */
  async function getStuck(): Promise<void> {
    const environment = newEnvironment(world, "stuck", newest);
    for (const job of mapping.rest()) await runAlone(environment, job);
    passTime(5_000);
    await runAlone(environment, TICK);
    mend();
  }

  async function runAwake(): Promise<void> {
    for (let turn = 0; turn < 3_000 && judge.first === null; turn++) {
      clock.time += 5;
      if ((await step()) === null) break;
    }
    if (judge.first !== null) throw judge.first;
    for (const actor of environments.keys()) remove(actor);
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
    for (let round = 0; !mapping.caughtUp(); round++) {
      judge.check(round < 100, "progress", () => "records are left that nobody can process");
      if (environment.refuses) {
        // What the operator does: a new incarnation.
        reset();
        environment = newEnvironment(world, `${environment.actor} after reset`, newest);
      }
      const [job] = mapping.rest();
      if (job !== undefined) await runAlone(environment, job);
    }
    return environment;
  }

  async function runAlone(environment: Environment, job: Job): Promise<void> {
    const token = mapping.begin(job);
    let done: number | null = null;
    void environment.invoke(job).then((records) => {
      done = records;
    });
    await settled();
    while (done === null && judge.first === null) {
      clock.time += 5;
      const stepped = await step();
      if (judge.first === null) judge.check(stepped !== null || done !== null, "progress", () => "an invocation hangs");
    }
    if (judge.first !== null) throw judge.first;
    mapping.end(token, job, done!);
  }

  function checkEnd(): void {
    const history = world.historyOf(world.incarnation());
    counts.batches = history.batches.length;
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

  async function proceed(): Promise<void> {
    if ((await step()) === null) invoke();
  }

  async function step() {
    const stepped = await plan.step(choices);
    if (stepped !== null) trace(`${stepped.actor}: ${stepped.what}`);
    return stepped;
  }

  function invoke(): void {
    const job = mapping.next(choices);
    if (job !== null) start(job);
  }

  function tick(): void {
    start(TICK);
  }

  function start(job: Job): void {
    const idle = [...environments.values()].filter(({ busy, actor }) => !busy && !plan.frozen.has(actor));
    const cold = environments.size < config.environments;
    if (idle.length === 0 && !cold) return;
    const at = choices.pick(idle.length + (cold ? 1 : 0));
    const environment = idle[at] ?? newborn();
    const place = mapping;
    const token = place.begin(job);
    trace(
      `${environment.actor} gets ${job.kind} ${job.shard === null ? "" : labelOf(job.shard)} ${job.records.map(({ sequence, sub }) => `${sequence}.${sub}`).join(" ")}`,
    );
    let over = false;
    const end = (done: number) => {
      if (over) return;
      over = true;
      place.end(token, job, done);
      giveUp.delete(environment.actor);
    };
    giveUp.set(environment.actor, () => end(0));
    void environment.invoke(job).then((done) => {
      trace(`${environment.actor} ends with ${done} of ${job.records.length}`);
      if (environment.superseded) environments.delete(environment.actor);
      // The answer itself may be lost.
      end(world.faults.failed > 0 && choices.chance(world.faults.failed) ? 0 : done);
    });
  }

  function newborn(): Environment {
    const old = newest > 1 && choices.chance(0.3);
    const environment = newEnvironment(world, `env${++names}`, old ? 1 + choices.pick(newest) : newest);
    environments.set(environment.actor, environment);
    return environment;
  }

  function any(actors: readonly string[]): string | undefined {
    return actors[choices.pick(actors.length)];
  }

  function kill(): void {
    const actor = any(plan.waiting());
    if (actor === undefined) return;
    trace(`${actor} is killed`);
    remove(actor);
    counts.kills++;
  }

  function remove(actor: string): void {
    plan.kill(actor);
    environments.delete(actor);
    giveUp.get(actor)?.();
  }

  /** Its invocation is given up, a new environment takes its place, and an hour later it goes on. */
  function freeze(): void {
    const actor = any(plan.waiting().filter((name) => !plan.frozen.has(name)));
    if (actor !== undefined) putToSleep(actor);
  }

  function putToSleep(actor: string): void {
    trace(`${actor} freezes`);
    plan.freeze(actor);
    environments.delete(actor);
    giveUp.get(actor)?.();
  }

  function thaw(): void {
    const actor = any([...plan.frozen]);
    if (actor === undefined) return;
    passTime([1_000, 10_000, HOUR / 60, HOUR][choices.pick(4)]!);
    trace(`${actor} thaws`);
    plan.thaw(actor);
  }

  /** The mapping has waited long enough; the environment has not. */
  function timeOut(): void {
    const actor = any([...giveUp.keys()]);
    if (actor === undefined) return;
    trace(`${actor} is given up`);
    giveUp.get(actor)!();
  }

  function reshard(): void {
    const open = stream.open();
    if (stream.shards.length > 8) return;
    const shard = open[choices.pick(open.length)]!;
    const other = open.find((candidate) => candidate !== shard && candidate.stream === shard.stream);
    if (other !== undefined && choices.pick(2) === 1) stream.merge(shard, other);
    else stream.split(shard);
    trace(`shards are now ${stream.open().map(labelOf).join(" ")}`);
  }

  function deploy(): void {
    newest++;
    trace(`generation ${newest} is deployed`);
  }

  /** A deploy whose user function throws no more. */
  function mend(): void {
    deploy();
    world.mendedFrom = Math.min(world.mendedFrom, newest);
  }

  /** A new incarnation: what runs is cut off, the stream is read from its beginning. */
  function reset(): void {
    trace("reset");
    for (const actor of environments.keys()) plan.freeze(actor);
    environments.clear();
    giveUp.clear();
    world.reset();
    passTime(1_000);
    mapping = newMapping(stream, config);
  }

  /** Deleted with all its records; the new one begins two minutes later. */
  function recreate(): void {
    if (stream.recreated) return;
    trace("the stream is made again");
    for (const actor of [...environments.keys(), ...plan.frozen, ...plan.waiting()]) remove(actor);
    passTime(120_000);
    stream.recreate();
    mapping = newMapping(stream, config);
    produce(world);
  }

  function sweep(): void {
    const incarnation = world.incarnation();
    if (incarnation === "") return;
    const actor = `sweeper${++sweepers}`;
    const stall = () => world.stall(actor, [null, 1, 2][choices.pick(3)]!);
    const network = newNetwork({
      choices,
      faults: () => world.faults,
      gate: (what) => plan.gate(actor, what),
      note: (text) => trace(`    ${actor}: ${text}`),
      stall,
      sendLater: () => {},
    });
    const objects = faultyObjects(world.objects, network);
    void sweepPartition({
      log: faultyLog(world.log, network),
      objects: {
        ...objects,
        // Between its reading of the pointer and that of the manifest.
        get(key) {
          if (choices.chance(0.3)) stall();
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

  function passTime(ms: number): void {
    clock.time += ms;
    trace(`${ms} ms pass`);
  }

  function toggleSink(): void {
    world.sinkDown = !world.sinkDown;
    trace(world.sinkDown ? "the sink goes down" : "the sink is back");
  }

  /** What is older than its signature is refused by the service. */
  async function arrive(): Promise<void> {
    if (world.inFlight.length === 0) return;
    const [sent] = world.inFlight.splice(choices.pick(world.inFlight.length), 1);
    if (clock.time - sent!.sentAt > HOUR / 4) return;
    trace("a given up write arrives");
    await sent!.apply().catch(() => undefined);
  }
}
