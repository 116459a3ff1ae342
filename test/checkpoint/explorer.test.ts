import { describe, expect, it } from "vitest";
import { memoryCheckpointLog } from "../../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../../lib/checkpoint/memory-object-store.js";
import { openStatePartition, type StatePartitionOptions } from "../../lib/checkpoint/state-partition-ring.js";
import { sweepPartition } from "../../lib/checkpoint/sweeper.js";
import { type Faults, faultyLog, faultyObjects, type InFlight } from "./explorer/faulty-ports.js";
import { newHistory, seen, totals } from "./explorer/history.js";
import { type Delivery, invoke } from "./explorer/invocation.js";
import { scheduler, seeded } from "./explorer/scheduler.js";

interface Scenario {
  readonly seed: number;
  readonly ringSize: number;
  readonly inlineLimitBytes: number;
  readonly environments: number;
  readonly faults: Faults;
  /** Per step. */
  readonly crash: number;
  /** Clock jumps of two days and sweeps: frozen writers meet the sweeper [CE6]. */
  readonly sweeping: boolean;
  /** Pieces of what is not done with yet come in any order. */
  readonly outOfOrder: boolean;
  /** Per call. */
  readonly sinkDown: number;
  /** Newer code comes in at half time, beside the old. */
  readonly deploy: boolean;
  readonly steps: number;
}

const HOUR = 3_600_000;
const RECORDS = 200;

/** Explores one interleaving; a broken property is a failed expectation, which the seed repeats. */
async function explore(scenario: Scenario): Promise<{ readonly batches: number; readonly crashes: number }> {
  const random = seeded(scenario.seed);
  const plan = scheduler(random);
  const clock = { now: 1_700_000_000_000 };
  const now = () => clock.now;
  const history = newHistory();
  const log = history.observe(memoryCheckpointLog(now));
  const objects = memoryObjectStore(now);
  const inFlight: InFlight[] = [];
  const broken: unknown[] = [];
  let ids = 0;
  const options = (
    ports: Pick<StatePartitionOptions, "log" | "objects">,
    generation: number,
  ): StatePartitionOptions => ({
    ...ports,
    now,
    newId: () => `id${++ids}`,
    query: "q",
    incarnation: "000000000000001",
    partition: 0,
    generation,
    tables: [seen, totals],
    ringSize: scenario.ringSize,
    inlineLimitBytes: scenario.inlineLimitBytes,
  });
  /** All records up to here are done with: the shard delivers them again only as a repeat. */
  let acknowledged = 0;
  const done = new Set<number>();
  let newest = 1;
  let names = 0;
  const alive = new Set<string>();
  const sweepers: string[] = [];

  const environment = () => {
    const actor = `env${++names}`;
    const partition = openStatePartition(
      options(
        {
          log: faultyLog(log, actor, plan, scenario.faults, inFlight, now),
          objects: faultyObjects(objects, actor, plan, scenario.faults),
        },
        newest > 1 && random() < 0.3 ? 1 : newest,
      ),
    );
    alive.add(actor);
    void (async () => {
      for (;;) {
        await plan.gate(actor);
        const delivery = nextDelivery();
        try {
          const through = await invoke(partition, delivery, {
            history,
            random,
            cutAfter: random() < 0.2 ? 1 : 10,
            publish: async (identity, bytes) => {
              await plan.gate(actor);
              if (random() < scenario.sinkDown) throw new Error("sink is down");
              history.publish(identity, bytes);
              await plan.gate(actor);
            },
          });
          for (let record = delivery.first; record <= through; record++) done.add(record);
          while (done.has(acknowledged + 1)) acknowledged++;
        } catch (error) {
          if (isBroken(error)) broken.push(error);
        }
      }
    })();
  };

  /** What is next, or part of what was delivered before, under other boundaries. */
  const nextDelivery = (): Delivery => {
    const ahead = scenario.outOfOrder ? Math.floor(random() * 8) : 0;
    const first =
      random() < 0.7 ? Math.min(RECORDS, acknowledged + 1 + ahead) : 1 + Math.floor(random() * acknowledged);
    return { first, last: Math.min(RECORDS, first + Math.floor(random() * 5)) };
  };

  const sweep = () => {
    const actor = `sweeper${++names}`;
    sweepers.push(actor);
    const ports = {
      log: faultyLog(log, actor, plan, { lost: 0, failed: 0.02 }, inFlight, now),
      objects: faultyObjects(objects, actor, plan, { lost: 0, failed: 0.02 }),
    };
    void sweepPartition({ ...options(ports, 1), ringSize: scenario.ringSize }).catch((error) => {
      if (isBroken(error)) broken.push(error);
    });
  };

  for (let i = 0; i < scenario.environments; i++) environment();
  let crashes = 0;
  for (let step = 0; step < scenario.steps && broken.length === 0; step++) {
    await plan.step();
    const fate = random();
    if (fate < scenario.crash) {
      const victims = [...alive];
      const victim = victims[Math.floor(random() * victims.length)]!;
      plan.crash(victim);
      alive.delete(victim);
      crashes++;
      environment();
    }
    if (random() < 0.02) {
      const actors = [...alive, ...sweepers];
      plan.freeze(actors[Math.floor(random() * actors.length)]!, Math.floor(random() * 150));
    }
    if (scenario.sweeping && random() < 0.01) {
      // A writer sleeps for two days, perhaps between its upload and its put, while the sweeper works [CE6].
      const actors = [...alive];
      plan.freeze(actors[Math.floor(random() * actors.length)]!, 150);
      clock.now += 49 * HOUR;
      sweep();
    }
    if (scenario.deploy && step === scenario.steps / 2) {
      newest = 2;
      environment();
    }
    if (inFlight.length > 0 && random() < 0.05) {
      const [sent] = inFlight.splice(Math.floor(random() * inFlight.length), 1);
      // A signature lives 15 minutes: what is older is refused by the service.
      if (now() - sent!.sentAt <= HOUR / 4) await sent!.apply();
    }
    if (scenario.sweeping && random() < 0.01) clock.now += random() < 0.5 ? 49 * HOUR : HOUR / 5;
    if (scenario.sweeping && random() < 0.01) sweep();
    if (random() < 0.02) await checkRecoverable();
  }
  if (broken.length > 0) throw broken[0];
  for (const actor of [...alive, ...sweepers]) plan.crash(actor);
  await finish();
  return { batches: history.batches.length, crashes };

  /** P5: whoever comes now, cold, finds the state of some prefix that reaches the head. */
  async function checkRecoverable() {
    const observer = openStatePartition(options({ log, objects }, newest));
    await observer.load();
    expect(observer.position().version, "P5: a cold load finds the head").toBe(history.batches.length);
    history.checkState(observer);
  }

  /** P6: with no more faults a new environment takes all that is left, and nothing is missing then. */
  async function finish() {
    const last = openStatePartition(options({ log, objects }, newest));
    const publish = async (...published: Parameters<typeof history.publish>) => history.publish(...published);
    for (let first = acknowledged + 1; first <= RECORDS; first += 20) {
      const delivery = { first, last: Math.min(RECORDS, first + 19) };
      await invoke(last, delivery, { history, random: () => 1, cutAfter: 100, publish });
    }
    history.checkPublished(history.batches.length);
    expect(history.batches.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: RECORDS }, (_, i) => i + 1));
    await checkRecoverable();
  }
}

/** Failed expectations and broken laws of our own; all else is what a caller must expect of a bad network. */
const isBroken = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === "AssertionError" ||
    (error as { domain?: string }).domain === "internal" ||
    error instanceof TypeError);

const scenarioOf = (seed: number): Scenario => {
  const random = seeded(seed * 7919);
  const pick = <T>(...choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
  return {
    seed,
    ringSize: pick(1, 2, 3, 4, 8),
    inlineLimitBytes: pick(0, 700, 8192),
    environments: pick(1, 2, 3),
    faults: pick({ lost: 0, failed: 0 }, { lost: 0.1, failed: 0.02 }, { lost: 0.3, failed: 0.05 }),
    crash: pick(0, 0.01, 0.03),
    sweeping: pick(false, true),
    outOfOrder: pick(false, true),
    sinkDown: pick(0, 0.05, 0.4),
    deploy: pick(false, false, true),
    steps: 400,
  };
};

const SEEDS = Number(process.env["EXPLORER_SEEDS"] ?? 150);
const FIRST = Number(process.env["EXPLORER_FIRST"] ?? 1);

describe("any interleaving of environments, crashes, lost responses and repeats", () => {
  it(
    "keeps the history linear, counts every record once, loses no output and stays recoverable (P1–P6)",
    async () => {
      let batches = 0;
      let crashes = 0;
      for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
        try {
          const run = await explore(scenarioOf(seed));
          batches += run.batches;
          crashes += run.crashes;
        } catch (error) {
          throw new Error(`seed ${seed}, ${JSON.stringify(scenarioOf(seed))}: ${String(error)}`, { cause: error });
        }
      }
      expect(batches).toBeGreaterThan(SEEDS * 8);
      expect(crashes).toBeGreaterThan(SEEDS);
    },
    SEEDS * 2_000,
  );
});
