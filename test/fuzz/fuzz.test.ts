import { describe, expect, it } from "vitest";
import { runSeed } from "./run-seed.js";

const SEEDS = 200;

describe("a random query over random deliveries", () => {
  it("answers as computed by hand over the committed order, and on-time input the same however it is cut", async () => {
    const failed: number[] = [];
    for (let seed = 1; seed <= SEEDS; seed++) if ((await runSeed(seed)) !== null) failed.push(seed);
    expect(failed, "replay with: npm run fuzz -- --seeds 1 --start SEED").toEqual([]);
  }, 120_000);
});
