import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readDeviations } from "./deviations.js";
import { engineDriver } from "./engine-driver.js";
import { readCases } from "./golden-case.js";
import { runCase } from "./run-case.js";

const golden = (part: string) => readCases(fileURLToPath(new URL(`../vendor/golden/${part}`, import.meta.url)));
const deviations = readDeviations();

describe.each(["cases", "random"])("the operators, batch by batch, agree with Spark on %s", (part) => {
  it.each(golden(part).map((recorded) => [recorded.name, recorded] as const))("%s", async (_, recorded) => {
    expect(await runCase(recorded, engineDriver, deviations)).toEqual([]);
  });
});

describe("deviations", () => {
  it("name recorded cases, and every one changes what is expected", async () => {
    const recorded = new Map([...golden("cases"), ...golden("random")].map((one) => [one.name, one]));
    for (const name of deviations.keys()) {
      expect(recorded.has(name), name).toBe(true);
      expect(await runCase(recorded.get(name)!, engineDriver, new Map()), name).not.toEqual([]);
    }
  });
});
