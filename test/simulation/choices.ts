import { seededRandom } from "../../lib/local/seeded-random.js";

/** Every free decision of a run. The answer 0 (and false) is always the harmless one, so that a run shrinks by zeroing decisions. */
export interface Choices {
  /** 0 … n − 1. */
  pick(n: number): number;
  /** An index, each as likely as its weight; weights need not add up to anything. */
  weighted(weights: readonly number[]): number;
  chance(probability: number): boolean;
  /** What was decided so far, to be replayed. */
  readonly taken: readonly number[];
}

export function seededChoices(seed: number): Choices {
  const random = seededRandom(seed);
  return recorded(
    (n) => Math.floor(random() * n),
    (weights) => {
      let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
      for (const [index, weight] of weights.entries()) {
        left -= weight;
        if (left < 0) return index;
      }
      return 0;
    },
  );
}

/** Takes the decisions of an earlier run, and the harmless ones after them. */
export function replayedChoices(decisions: readonly number[]): Choices {
  let at = 0;
  const next = (n: number) => Math.min(decisions[at++] ?? 0, n - 1);
  return recorded(next, (weights) => {
    const index = next(weights.length);
    return weights[index]! > 0 ? index : 0;
  });
}

function recorded(any: (n: number) => number, weigh: (weights: readonly number[]) => number): Choices {
  const taken: number[] = [];
  const note = (value: number): number => {
    taken.push(value);
    return value;
  };
  return {
    pick: (n) => (n <= 1 ? 0 : note(any(n))),
    weighted: (weights) => note(weigh(weights)),
    chance: (probability) => probability > 0 && note(weigh([1 - probability, probability])) === 1,
    taken,
  };
}
