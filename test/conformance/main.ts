import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { readDeviations } from "./deviations.js";
import type { Driver } from "./driver.js";
import { engineDriver } from "./engine-driver.js";
import { readCases, tagFilter } from "./golden-case.js";
import { runCase } from "./run-case.js";

const usage = "npm run conformance -- DIR|FILE... [--tags a,b,-c] [--through engine|handler] [-v]";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tags: { type: "string", default: "" },
    through: { type: "string", default: "engine" },
    verbose: { type: "boolean", short: "v", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

async function driverOf(name: string): Promise<Driver | null> {
  if (name === "engine") return engineDriver;
  if (name === "handler") return (await import("./handler-driver.js")).handlerDriver;
  return null;
}

async function main(): Promise<number> {
  const driver = await driverOf(values.through);
  if (values.help || driver === null || positionals.length === 0) {
    console.log(
      `Runs recorded cases of Spark and compares batch by batch.\n\n  ${usage}\n\n  npm run conformance -- test/vendor/golden/cases --tags join,-session -v`,
    );
    return values.help ? 0 : 2;
  }
  const missing = positionals.filter((path) => !existsSync(path));
  if (missing.length > 0) {
    console.error(`There is no ${missing.join(", no ")}.`);
    return 2;
  }
  const wanted = tagFilter(values.tags);
  const deviations = readDeviations(values.through);
  let passed = 0;
  let failed = 0;
  for (const golden of positionals.flatMap(readCases)) {
    if (!wanted(golden.tags)) continue;
    const differences = await runCase(golden, driver, deviations).catch((error: unknown) => [
      values.verbose && error instanceof Error ? `${error.stack}` : `broke: ${String(error)}`,
    ]);
    if (differences.length === 0) passed++;
    else {
      failed++;
      console.log(`FAILED ${golden.name}: ${golden.title}`);
      if (values.verbose) for (const difference of differences) console.log(`  ${difference}`);
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
