import type { Choices } from "./choices.js";

interface Waiting {
  readonly actor: string;
  readonly what: string;
  readonly go: () => void;
}

/**
 * Runs actors one step at a time: a step is whatever an actor does between two gates, all of it microtasks.
 * The gates of a killed actor never open again, so that its promises hang as those of a dead process do.
 */
export interface Scheduler {
  gate(actor: string, what: string): Promise<void>;
  /** Opens one gate. Null: nobody waits, frozen actors apart. */
  step(choices: Choices): Promise<{ readonly actor: string; readonly what: string } | null>;
  kill(actor: string): void;
  freeze(actor: string): void;
  thaw(actor: string): void;
  readonly frozen: ReadonlySet<string>;
  waiting(): readonly string[];
}

/** After all microtasks, also those yet to come: Node turns to the next tick only then, at a fraction of what a turn of the loop costs. */
export const settled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

export function newScheduler(): Scheduler {
  let queue: Waiting[] = [];
  const frozen = new Set<string>();
  const killed = new Set<string>();
  return {
    frozen,
    gate: (actor, what) => new Promise((go) => void (killed.has(actor) || queue.push({ actor, what, go }))),
    async step(choices) {
      const awake = frozen.size === 0 ? queue : queue.filter(({ actor }) => !frozen.has(actor));
      if (awake.length === 0) return null;
      const chosen = awake[choices.pick(awake.length)]!;
      queue.splice(queue.indexOf(chosen), 1);
      chosen.go();
      await settled();
      return chosen;
    },
    kill(actor) {
      killed.add(actor);
      frozen.delete(actor);
      queue = queue.filter((waiting) => waiting.actor !== actor);
    },
    freeze: (actor) => void frozen.add(actor),
    thaw: (actor) => void frozen.delete(actor),
    waiting: () => [...new Set(queue.map(({ actor }) => actor))],
  };
}
