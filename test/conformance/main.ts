import { existsSync } from "node:fs";
import { commandLine, refuse } from "../command-line.js";
import { SCAN_WAYS, type ScanWay } from "../scan-way.js";
import { readDeviations } from "./deviations.js";
import type { Driver } from "./driver.js";
import { engineDriver } from "./engine-driver.js";
import { readCases, tagFilter } from "./golden-case.js";
import { notPartitionable } from "./not-partitionable.js";
import { runCase } from "./run-case.js";

const USAGE = `
Runs recorded cases of Spark and compares batch by batch.

  npm run conformance -- DIR|FILE... [--tags a,b,-c] [--through engine|handler|partitions=N] [-v]
                                 [--scan on|off|random]   through the handler: records scanned into columns, or not
  npm run conformance -- test/vendor/golden/cases --tags join,-session -v

Exit codes: 0 all pass, 1 one fails or none matches, 2 the command line is wrong.
`;
const { values, positionals } = commandLine(
  USAGE,
  {
    tags: { type: "string", default: "" },
    through: { type: "string", default: "engine" },
    scan: { type: "string", default: "on" },
    verbose: { type: "boolean", short: "v", default: false },
  },
  true,
);

const scanWay = (): ScanWay =>
  SCAN_WAYS.find((way) => way === values.scan) ?? refuse(`--scan takes ${SCAN_WAYS.join(", ")}`);

async function driverOf(name: string): Promise<Driver> {
  if (name === "engine") return engineDriver;
  if (name === "handler") return (await import("./handler-driver.js")).handlerDriver(scanWay());
  const partitions = /^partitions=([1-9]\d*)$/.exec(name);
  if (partitions !== null) return (await import("./partitions-driver.js")).partitionsDriver(Number(partitions[1]));
  return refuse(`--through takes engine, handler or partitions=N, not '${name}'`);
}

async function main(): Promise<number> {
  const driver = await driverOf(values.through);
  if (positionals.length === 0) refuse("Name a directory or a file of cases");
  const missing = positionals.filter((path) => !existsSync(path));
  if (missing.length > 0) refuse(`There is no ${missing.join(", no ")}`);
  const wanted = tagFilter(values.tags);
  const deviations = readDeviations(values.through);
  let passed = 0;
  let failed = 0;
  const refused = new Map<string, number>();
  for (const golden of positionals.flatMap(readCases)) {
    if (!wanted(golden.tags)) continue;
    const code = /^partitions=/.test(values.through) ? notPartitionable(golden) : null;
    if (code !== null) {
      refused.set(code, (refused.get(code) ?? 0) + 1);
      continue;
    }
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
  for (const [reason, count] of refused) console.log(`${count} refused: ${reason}`);
  if (passed + failed === 0) {
    console.log(`No case in ${positionals.join(", ")}${values.tags === "" ? "" : ` has the tags ${values.tags}`}.`);
    return 1;
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
