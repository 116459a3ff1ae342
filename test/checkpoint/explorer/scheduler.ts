/** Seeded and small: mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Waiting {
  readonly actor: string;
  readonly go: () => void;
}

/**
 * Runs actors one step at a time, a step being whatever an actor does between two calls of `gate`.
 * A crashed actor's gate never opens again: its promises hang, as a dead process's would.
 */
export interface Scheduler {
  gate(actor: string): Promise<void>;
  /** Opens one gate and waits until every actor waits again or has ended. False: nobody waits. */
  step(): Promise<boolean>;
  crash(actor: string): void;
  /** For so many steps its gates stay shut, unless nobody else waits: a frozen process, a zombie to be. */
  freeze(actor: string, steps: number): void;
  readonly random: () => number;
}

export function scheduler(random: () => number): Scheduler {
  let queue: Waiting[] = [];
  let steps = 0;
  const frozenUntil = new Map<string, number>();
  const isFrozen = ({ actor }: Waiting) => (frozenUntil.get(actor) ?? 0) > steps;
  return {
    random,
    gate: (actor) => new Promise((go) => queue.push({ actor, go })),
    async step() {
      // Everything between gates is microtasks, so one turn of the event loop ends the step.
      await new Promise((resolve) => setImmediate(resolve));
      if (queue.length === 0) return false;
      steps++;
      const awake = queue.filter((waiting) => !isFrozen(waiting));
      const choices = awake.length > 0 ? awake : queue;
      const chosen = choices[Math.floor(random() * choices.length)]!;
      queue = queue.filter((waiting) => waiting !== chosen);
      chosen.go();
      await new Promise((resolve) => setImmediate(resolve));
      return true;
    },
    crash(actor) {
      queue = queue.filter((waiting) => waiting.actor !== actor);
    },
    freeze: (actor, forSteps) => void frozenUntil.set(actor, steps + forSteps),
  };
}
