import { describe, expect, it } from "vitest";
import { SCENARIOS } from "./scenarios/scenario.js";
import { simulate } from "./simulate.js";

const SEEDS = 3_000;
/** A minute of one core; ten times that on a machine that is busy. */
const TIMEOUT_MS = 600_000;

describe("the whole system in simulation", () => {
  it("keeps every invariant whatever Lambda, Kinesis, DynamoDB and S3 do", { timeout: TIMEOUT_MS }, async () => {
    let batches = 0;
    let kills = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const run = await simulate(seed);
      batches += run.batches;
      kills += run.kills;
      expect(run.violation, `npm run simulate -- --start ${seed} --seeds 1`).toBeNull();
    }
    expect(batches).toBeGreaterThan(SEEDS * 3);
    expect(kills).toBeGreaterThan(SEEDS / 3);
  });

  it.each(SCENARIOS)("runs the same when it is replayed from its decisions: $name", async ({ name: scenario }) => {
    const told: string[][] = [[], []];
    const run = await simulate(11, { scenario, trace: (text) => told[0]!.push(text) });
    await simulate(11, { scenario, decisions: run.decisions, trace: (text) => told[1]!.push(text) });
    expect(told[0]!.length).toBeGreaterThan(10);
    expect(told[1]).toEqual(told[0]);
  });
});
