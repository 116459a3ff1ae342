import { describe, expect, it } from "vitest";
import { SCENARIOS } from "./scenarios/scenario.js";
import { simulate } from "./simulate.js";

const SEEDS = Number(process.env["SIMULATION_SEEDS"] ?? 2_500);
/** A busy machine runs fewer seeds instead of a longer test; `npm run simulate` runs any number. */
const BUDGET_MS = 35_000;

describe("the whole system in simulation", () => {
  it("keeps every invariant whatever Lambda, Kinesis, DynamoDB and S3 do", async () => {
    let batches = 0;
    let kills = 0;
    let seeds = 0;
    const end = Date.now() + BUDGET_MS;
    for (let seed = 1; seed <= SEEDS && Date.now() < end; seed++) {
      const run = await simulate(seed);
      seeds++;
      batches += run.batches;
      kills += run.kills;
      expect(run.violation, `npm run simulate -- --start ${seed} --seeds 1`).toBeNull();
    }
    expect(batches).toBeGreaterThan(seeds * 3);
    expect(kills).toBeGreaterThan(seeds / 3);
  });

  it.each(SCENARIOS)("runs the same when it is replayed from its decisions: $name", async ({ name: scenario }) => {
    const told: string[][] = [[], []];
    const run = await simulate(11, { scenario, trace: (text) => told[0]!.push(text) });
    await simulate(11, { scenario, decisions: run.decisions, trace: (text) => told[1]!.push(text) });
    expect(told[0]!.length).toBeGreaterThan(10);
    expect(told[1]).toEqual(told[0]);
  });
});
