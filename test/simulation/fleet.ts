import { type Environment, newEnvironment } from "./environment.js";
import { type Job, type Mapping, newMapping, TICK } from "./mapping.js";
import { labelOf } from "./stream.js";
import { HOUR, type World } from "./world.js";

/** Lambda: the mapping, and the environments that it has; what can befall them. */
export interface Fleet {
  readonly mapping: Mapping;
  /** Of the code that is deployed. */
  readonly newest: number;
  deploy(): void;
  /** A delivery to an idle environment or a new one; null: there is none. */
  invoke(): void;
  tick(): void;
  /** Lets somebody go on; false: nobody waits. */
  step(): Promise<boolean>;
  kill(): void;
  kills(): number;
  /** Its invocation is given up, a new environment takes its place, and an hour later it goes on. */
  freeze(): void;
  thaw(): void;
  /** The mapping has waited long enough; the environment has not. */
  timeOut(): void;
  remove(actor: string): void;
  removeAll(): void;
  /** All of them sleep, nobody waits for them, and the stream is read from its beginning. */
  cutOff(): void;
  /** Whoever sleeps or waits, zombies and sweepers too, is no more, and the stream is read from its beginning. */
  clear(): void;
}

export function newFleet(world: World): Fleet {
  const { config, choices, plan, stream, trace } = world;
  const environments = new Map<string, Environment>();
  const giveUp = new Map<string, () => void>();
  let mapping = newMapping(stream, config);
  let newest = 1;
  let names = 0;
  let kills = 0;

  const any = (actors: readonly string[]): string | undefined => actors[choices.pick(actors.length)];

  const remove = (actor: string): void => {
    plan.kill(actor);
    environments.delete(actor);
    giveUp.get(actor)?.();
  };

  const putToSleep = (actor: string): void => {
    trace(`${actor} freezes`);
    plan.freeze(actor);
    environments.delete(actor);
    giveUp.get(actor)?.();
  };
  world.freeze = putToSleep;

  const newborn = (): Environment => {
    const old = newest > 1 && choices.chance(0.3);
    const environment = newEnvironment(world, `env${++names}`, old ? 1 + choices.pick(newest) : newest);
    environments.set(environment.actor, environment);
    return environment;
  };

  const start = (job: Job): void => {
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
  };

  return {
    get mapping() {
      return mapping;
    },
    get newest() {
      return newest;
    },
    deploy() {
      newest++;
      trace(`generation ${newest} is deployed`);
    },
    invoke() {
      const job = mapping.next(choices);
      if (job !== null) start(job);
    },
    tick: () => start(TICK),
    async step() {
      const stepped = await plan.step(choices);
      if (stepped !== null) trace(`${stepped.actor}: ${stepped.what}`);
      return stepped !== null;
    },
    kill() {
      const actor = any(plan.waiting());
      if (actor === undefined) return;
      trace(`${actor} is killed`);
      remove(actor);
      kills++;
    },
    kills: () => kills,
    freeze() {
      const actor = any(plan.waiting().filter((name) => !plan.frozen.has(name)));
      if (actor !== undefined) putToSleep(actor);
    },
    thaw() {
      const actor = any([...plan.frozen]);
      if (actor === undefined) return;
      world.passTime([1_000, 10_000, HOUR / 60, HOUR][choices.pick(4)]!);
      trace(`${actor} thaws`);
      plan.thaw(actor);
    },
    timeOut() {
      const actor = any([...giveUp.keys()]);
      if (actor === undefined) return;
      trace(`${actor} is given up`);
      giveUp.get(actor)!();
    },
    remove,
    removeAll() {
      for (const actor of environments.keys()) remove(actor);
    },
    cutOff() {
      for (const actor of environments.keys()) plan.freeze(actor);
      environments.clear();
      giveUp.clear();
      mapping = newMapping(stream, config);
    },
    clear() {
      for (const actor of [...environments.keys(), ...plan.frozen, ...plan.waiting()]) remove(actor);
      mapping = newMapping(stream, config);
    },
  };
}
