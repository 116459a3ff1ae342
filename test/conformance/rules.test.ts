import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { engineDriver } from "./engine-driver.js";
import { readCases } from "./golden-case.js";
import { handlerDriver } from "./handler-driver.js";
import { runCase } from "./run-case.js";

/** Cases that nobody recorded: expectations computed from the measured rules by golden/tools/simulate.py, with the right results of SEMANTICS 0.7. */
const cases = readCases(fileURLToPath(new URL("./rules", import.meta.url)));

describe.each([
  ["engine", engineDriver],
  ["handler", handlerDriver("random")],
] as const)("through the %s, every case made of the rules ends as they say", (_, driver) => {
  it.each(cases.map((one) => [`${one.name}: ${one.title}`, one] as const))("%s", async (_name, one) => {
    expect(await runCase(one, driver, new Map())).toEqual([]);
  });
});
