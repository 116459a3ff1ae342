import type { CheckpointLog, PartitionKey } from "../../lib/checkpoint/checkpoint-log.js";
import { learnPointer, NO_KNOWLEDGE } from "../../lib/checkpoint/commit-ring.js";
import { positionOf } from "../../lib/checkpoint/published-position.js";
import type { Judge } from "./violation.js";

/** Rule A2: whoever reads the pointer item learns no less than those before. */
export function risingPosition(log: CheckpointLog, judge: Judge): CheckpointLog {
  const reached = new Map<string, number>();

  const check = async (at: PartitionKey): Promise<void> => {
    const key = `${at.incarnation}/${at.partition}`;
    const position = positionOf(learnPointer(NO_KNOWLEDGE, await log.readPointer(at)));
    const before = reached.get(key) ?? 0;
    judge.check(position >= before, "position-only-rises", () => `${key}: ${before} → ${position}`);
    reached.set(key, position);
  };

  return {
    ...log,
    async movePointer(at, next, expected, guard) {
      const result = await log.movePointer(at, next, expected, guard);
      await check(at);
      return result;
    },
    async raisePublished(at, published) {
      const standing = await log.raisePublished(at, published);
      await check(at);
      return standing;
    },
  };
}
