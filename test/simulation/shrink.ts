import { type RunResult, simulate } from "./simulate.js";
import type { Violation } from "./violation.js";

export interface Shrunk {
  readonly decisions: readonly number[];
  readonly violation: Violation;
}

/** Decisions beyond the end of a list are 0, so zeros at its end say nothing. */
export function trimmed(decisions: readonly number[]): readonly number[] {
  let end = decisions.length;
  while (end > 0 && decisions[end - 1] === 0) end--;
  return decisions.slice(0, end);
}

/**
 * Delta debugging over the decision list: chunks are taken out or made harmless, halves first, as long as the same invariant breaks.
 * `runs`: how many runs it may cost.
 */
export async function shrink(seed: number, scenario: string | null, failing: RunResult, runs: number): Promise<Shrunk> {
  const { invariant } = failing.violation!;
  let best: Shrunk = { decisions: trimmed(failing.decisions), violation: failing.violation! };
  let left = runs;

  const attempt = async (decisions: readonly number[]): Promise<boolean> => {
    left--;
    const { violation } = await simulate(seed, { scenario, decisions });
    if (violation?.invariant !== invariant) return false;
    best = { decisions: trimmed(decisions), violation };
    return true;
  };

  for (
    let size = Math.ceil(best.decisions.length / 2);
    size >= 1 && left > 0;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let at = best.decisions.length - size; at > -size && left > 0; at -= size) {
      const from = Math.max(0, at);
      const { decisions } = best;
      const chunk = decisions.slice(from, from + size);
      if (chunk.length === 0) continue;
      const before = decisions.slice(0, from);
      const after = decisions.slice(from + size);
      if (await attempt([...before, ...after])) continue;
      if (chunk.some((decision) => decision !== 0)) await attempt([...before, ...chunk.map(() => 0), ...after]);
    }
  }
  return best;
}
