import { newStagesEnvironment, type StagesEnvironment, type StagesJob } from "./environment.js";
import type { SimStream, StreamShard } from "./streams.js";
import type { StagesWorld } from "./world.js";

/** Lambda: both mappings, the tick, and the environments; what can befall them. */
export interface StagesFleet {
  invoke(): void;
  tick(): void;
  start(job: StagesJob): Promise<void>;
  /** Lets somebody go on; false: nobody waits. */
  step(): Promise<boolean>;
  kill(): void;
  /** Its invocation is given up; it goes on later, beside whoever has taken its place. */
  freeze(): void;
  thaw(): void;
  deploy(): void;
  /** All that live are gone, and only the newest code runs from here on. */
  finish(): void;
  /** Closed shards that a tick without failure has told of since. */
  readonly told: ReadonlySet<StreamShard>;
}

export function newStagesFleet(world: StagesWorld): StagesFleet {
  const { config, choices, plan, source, shuffle, trace } = world;
  const environments = new Map<string, StagesEnvironment>();
  const giveUp = new Map<string, () => void>();
  const told = new Set<StreamShard>();
  let names = 0;
  let newest = 1;
  let finishing = false;

  const newborn = (): StagesEnvironment => {
    const old = !finishing && newest > 1 && choices.chance(0.3);
    const environment = newStagesEnvironment(world, `env${++names}`, old ? 1 + choices.pick(newest) : newest);
    environments.set(environment.actor, environment);
    return environment;
  };

  async function start(job: StagesJob): Promise<void> {
    const idle = [...environments.values()].filter(({ busy, actor }) => !busy && !plan.frozen.has(actor));
    const cold = environments.size < config.environments;
    if (idle.length === 0 && !cold) return;
    const environment = idle[choices.pick(idle.length + (cold ? 1 : 0))] ?? newborn();
    const shard = "shard" in job ? job.shard : null;
    const mine = shard !== null && !shard.running;
    if (mine) shard.running = true;
    const closed = source.shards.filter((each) => each.closed);
    trace(`${environment.actor} gets ${job.kind} ${"shard" in job ? `${job.shard.name} ${numbersOf(job)}` : ""}`);
    let over = false;
    const end = (done: number): void => {
      if (over) return;
      over = true;
      giveUp.delete(environment.actor);
      if (mine) shard.running = false;
      if (shard === null) {
        if (done === 1) for (const each of closed) told.add(each);
        return;
      }
      const first = shard.records.indexOf((job as Extract<StagesJob, { shard: StreamShard }>).records[0]!);
      if (first <= shard.acknowledged) shard.acknowledged = Math.max(shard.acknowledged, first + done);
    };
    giveUp.set(environment.actor, () => end(0));
    const done = await environment.invoke(job);
    trace(`${environment.actor} ends with ${done}`);
    if (environment.superseded) environments.delete(environment.actor);
    // The answer itself may be lost.
    end(world.faults.failed > 0 && choices.chance(world.faults.failed) ? 0 : done);
  }

  function next(kind: "source" | "shuffle", stream: SimStream): StagesJob | null {
    const waiting = stream.deliverable().filter(({ acknowledged, records }) => acknowledged < records.length);
    if (choices.chance(waiting.length === 0 ? 0.3 : 0.1)) {
      const done = stream.shards.filter(({ acknowledged }) => acknowledged > 0);
      if (done.length > 0) {
        const shard = done[choices.pick(done.length)]!;
        return recordsJob(kind, shard, choices.pick(shard.acknowledged), 1 + choices.pick(4));
      }
    }
    if (waiting.length === 0) return null;
    const shard = waiting[choices.pick(waiting.length)]!;
    return recordsJob(kind, shard, shard.acknowledged, 1 + choices.pick(8));
  }

  const remove = (actor: string): void => {
    plan.kill(actor);
    environments.delete(actor);
    giveUp.get(actor)?.();
  };
  const busy = () => [...environments.values()].filter(({ busy: at, actor }) => at && !plan.frozen.has(actor));

  return {
    told,
    start,
    invoke() {
      const first = choices.pick(2) === 0;
      const job = first
        ? (next("source", source) ?? next("shuffle", shuffle))
        : (next("shuffle", shuffle) ?? next("source", source));
      if (job !== null) void start(job);
    },
    tick: () => void start({ kind: "tick" }),
    async step() {
      return (await plan.step(choices)) !== null;
    },
    kill() {
      const actors = busy();
      if (actors.length === 0) return;
      const { actor } = actors[choices.pick(actors.length)]!;
      trace(`${actor} crashes`);
      remove(actor);
    },
    freeze() {
      const actors = busy();
      if (actors.length === 0) return;
      const { actor } = actors[choices.pick(actors.length)]!;
      trace(`${actor} freezes`);
      plan.freeze(actor);
      environments.delete(actor);
      giveUp.get(actor)?.();
    },
    thaw() {
      const frozen = [...plan.frozen];
      if (frozen.length === 0) return;
      const actor = frozen[choices.pick(frozen.length)]!;
      trace(`${actor} goes on`);
      plan.thaw(actor);
    },
    deploy() {
      newest++;
      trace(`generation ${newest} is deployed`);
    },
    finish() {
      finishing = true;
      newest++;
      for (const actor of [...environments.keys(), ...plan.frozen]) remove(actor);
    },
  };
}

export const recordsJob = (
  kind: "source" | "shuffle",
  shard: StreamShard,
  first: number,
  count: number,
): StagesJob => ({
  kind,
  shard,
  records: shard.records.slice(first, first + count),
});

const numbersOf = (job: StagesJob): string =>
  "records" in job ? job.records.map(({ sequence }) => sequence).join(" ") : "";
