import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

/** A slice of what `npm run flights-check` does over all 3 M. */
it("tidemark run and the embedded stack give the same windows and late rows of 40,000 flights", async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", "tsx", "demo/flights-check.ts", "--flights", "40000", "--batch-size", "1000"],
    { cwd: ROOT },
  );
  expect(stdout).toMatch(/tidemark run +40,000 flights = [\d,]+ counted in [\d,]+ windows \+ [1-9][\d,]* late/);
  expect(stdout).toContain("the same windows and late rows\ncounted + late = flights\n");
}, 120_000);
