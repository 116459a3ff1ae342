import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readDeviations } from "./deviations.js";
import type { Driver } from "./driver.js";
import { engineDriver } from "./engine-driver.js";
import { readCases } from "./golden-case.js";
import { handlerDriver } from "./handler-driver.js";
import { notPartitionable } from "./not-partitionable.js";
import { partitionsDriver } from "./partitions-driver.js";
import { runCase } from "./run-case.js";

const golden = (part: string) => readCases(fileURLToPath(new URL(`../vendor/golden/${part}`, import.meta.url)));
const recorded = [...golden("cases"), ...golden("random")];

const drivers: readonly (readonly [string, Driver])[] = [
  ["engine", engineDriver],
  ["handler", handlerDriver("random")],
];

/** Of several partitions a sample of what can be cut; all of it is `npm run conformance -- … --through partitions=4`. */
const partitionable = recorded.filter((one, at) => at % 9 === 0 && notPartitionable(one) === null);

it.each(partitionable.map((one) => [one.name, one] as const))("through four state partitions, %s", async (_, one) => {
  expect(await runCase(one, partitionsDriver(4), readDeviations("partitions"))).toEqual([]);
});

describe.each(drivers)("through the %s, every recorded case ends as in Spark", (name, driver) => {
  const deviations = readDeviations(name);

  it.each(recorded.map((one) => [one.name, one] as const))("%s", async (_, one) => {
    expect(await runCase(one, driver, deviations)).toEqual([]);
  });

  it("where a deviation is listed, the recording itself is not met", async () => {
    const failing: string[] = [];
    for (const one of recorded.filter(({ name }) => deviations.has(name))) {
      if ((await runCase(one, driver, new Map())).length > 0) failing.push(one.name);
    }
    const known = recorded.filter(({ name: one }) => deviations.has(one)).map(({ name: one }) => one);
    expect(failing.sort()).toEqual(known.sort());
    expect(known.length).toBeGreaterThan(5);
  });
});
