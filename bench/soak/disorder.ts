import type { ChildEnvironment, FrozenEnvironment } from "../../lib/local/child-environment.js";
import type { FaultRule } from "../../lib/local/fault-proxy.js";

/** Before DynamoDB and S3, as long as traffic lasts. */
export const FAULTS: readonly FaultRule[] = [
  { operation: "PutItem", probability: 0.05, fault: "drop-response" },
  { operation: "UpdateItem", probability: 0.05, fault: "drop-response" },
  { operation: "PUT", probability: 0.02, fault: "drop-response" },
  { probability: 0.02, fault: "server-error" },
  { probability: 0.02, fault: "throttle" },
  { probability: 0.02, fault: { delayMs: 300 } },
];

export interface Disorder {
  readonly counts: { kills: number; freezes: number };
  /** Lets the frozen run to their end. */
  stop(): Promise<void>;
}

const PAUSE_MS = 1_500;

/** kill -9 at any moment, and processes that stop in their tracks to wake much later. The first environment is spared, for its memory. */
export function startDisorder(environments: readonly ChildEnvironment[], random: () => number): Disorder {
  const counts = { kills: 0, freezes: 0 };
  const frozen: FrozenEnvironment[] = [];
  const woken: Promise<unknown>[] = [];
  const wake = (zombies: readonly FrozenEnvironment[]) => {
    for (const zombie of zombies) woken.push(zombie.thaw());
  };

  const strike = (): void => {
    const victim = environments[1 + Math.floor(random() * (environments.length - 1))];
    if (victim === undefined || victim.pid() === null) return;
    if (random() < 0.7) {
      counts.kills++;
      void victim.kill();
    } else {
      const zombie = victim.freeze();
      if (zombie === null) return;
      counts.freezes++;
      frozen.push(zombie);
    }
    if (frozen.length > 2) wake(frozen.splice(0, 1));
  };
  const timer = setInterval(strike, PAUSE_MS);
  return {
    counts,
    async stop() {
      clearInterval(timer);
      wake(frozen.splice(0));
      await Promise.allSettled(woken);
    },
  };
}
