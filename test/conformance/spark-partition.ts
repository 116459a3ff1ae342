import { NO_REGISTERS, type Registers } from "../../lib/checkpoint/registers.js";
import type { StatePartition } from "../../lib/checkpoint/state-partition.js";

/** What is known per source; forgotten when the script says so. */
export interface SourceMemory {
  registers: Registers;
}

/** Where a ring was read to is no knowledge of a source, and stays. */
export const forgetSources = (memory: SourceMemory): void => {
  memory.registers = { ...NO_REGISTERS, rings: memory.registers.rings };
};

/**
 * Spark's bookkeeping around a real state partition: the watermark starts at 1970, and what is known per source is kept in
 * `memory`, which a restart forgets (SEMANTICS 0.4, 0.5). Everything else is the ring's.
 */
export function sparkPartition(partition: StatePartition, memory: SourceMemory): StatePartition {
  return {
    load: (options) => partition.load(options),
    position: () => {
      const position = partition.position();
      return {
        ...position,
        registers: memory.registers,
        watermark: Math.max(0, position.watermark),
        lastPassWatermark: Math.max(0, position.lastPassWatermark),
      };
    },
    stage: () => partition.stage(),
    newOutbox: () => partition.newOutbox(),
    commit: async (draft, staged, publisher, deadlineReached) => {
      const outcome = await partition.commit(draft, staged, publisher, deadlineReached);
      if (outcome === "committed") memory.registers = draft.registers;
      return outcome;
    },
    publish: (publisher, deadlineReached) => partition.publish(publisher, deadlineReached),
    recentProgress: () => partition.recentProgress(),
  };
}
