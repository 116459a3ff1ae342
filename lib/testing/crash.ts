import type { StatePartition } from "../checkpoint/state-partition.js";

/**
 * After which step of a micro-batch the environment dies: `load` and `stage` leave nothing behind; `commit` leaves an entry whose
 * output is unpublished; `publish` leaves output that its source was never told of.
 */
export type CrashStep = "load" | "stage" | "commit" | "publish";

/** What is thrown in place of a process's end; nothing below catches it. */
export class Crash extends Error {}

/** Dies after the step for which `due` answers true. */
export function crashingPartition(partition: StatePartition, due: (step: CrashStep) => boolean): StatePartition {
  const dieAfter = (step: CrashStep) => {
    if (due(step)) throw new Crash(step);
  };
  return {
    ...partition,
    async load(options) {
      const loaded = await partition.load(options);
      dieAfter("load");
      return loaded;
    },
    async commit(...args) {
      dieAfter("stage");
      const outcome = await partition.commit(...args);
      dieAfter("commit");
      return outcome;
    },
    async publish(...args) {
      await partition.publish(...args);
      dieAfter("publish");
    },
  };
}
