import { describe, expect, it } from "vitest";
import { replayedChoices, seededChoices } from "./choices.js";

const draw = (choices: ReturnType<typeof seededChoices>) =>
  Array.from({ length: 50 }, (_, i) => [choices.pick(i + 1), choices.weighted([3, 0, 1]), Number(choices.chance(0.5))]);

describe("choices", () => {
  it("are the same for the same seed, and when what was taken is replayed", () => {
    const first = seededChoices(5);
    const drawn = draw(first);
    expect(draw(seededChoices(5))).toEqual(drawn);
    expect(draw(replayedChoices(first.taken))).toEqual(drawn);
    expect(draw(seededChoices(6))).not.toEqual(drawn);
  });

  it("never take what has no weight, and are harmless once a replay has run out", () => {
    expect(draw(seededChoices(5)).some(([, weighted]) => weighted === 1)).toBe(false);
    expect(draw(replayedChoices([]))).toEqual(Array.from({ length: 50 }, () => [0, 0, 0]));
  });
});
