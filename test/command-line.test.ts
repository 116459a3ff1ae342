import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const run = (file: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, ["--import", "tsx", file, ...args], { encoding: "utf8", timeout: 30_000 });

/** One line, wherever the runtime itself has nothing to say. */
const lines = (text: string): readonly string[] => text.split("\n").filter((line) => line !== "");

const COMMANDS = {
  bench: "bench/main.ts",
  soak: "bench/soak/main.ts",
  conformance: "test/conformance/main.ts",
  e2e: "test/e2e/main.ts",
  fuzz: "test/fuzz/main.ts",
  mutants: "test/mutants/main.ts",
  simulate: "test/simulation/main.ts",
};

it.each(Object.entries(COMMANDS))("npm run %s -- --help prints how it is used, and does nothing", (name, file) => {
  const { status, stdout, stderr } = run(file, "--help");
  expect(stderr).toBe("");
  expect(stdout).toContain(`npm run ${name}`);
  expect(stdout).toContain("Exit code");
  expect(status).toBe(0);
});

it.each(Object.entries(COMMANDS))("npm run %s refuses an unknown option in one line", (_, file) => {
  const { status, stdout, stderr } = run(file, "--nonsense");
  expect(lines(stderr)).toEqual(["Unknown option '--nonsense'. See --help"]);
  expect(stdout).toBe("");
  expect(status).toBe(2);
});

it("refuses arguments where a command takes none", () => {
  const { status, stderr } = run("test/fuzz/main.ts", "100");
  expect(lines(stderr)).toHaveLength(1);
  expect(status).toBe(2);
});

it.each([
  ["test/fuzz/main.ts", "--seeds", "many"],
  ["test/fuzz/main.ts", "--seeds", "0"],
  ["test/simulation/main.ts", "--start", "1.5"],
  ["test/simulation/main.ts", "--scenario", "no-such"],
  ["bench/soak/main.ts", "--minutes", "-1"],
])("refuses a value that is none, or would run nothing: %s %s %s", (file, option, value) => {
  const { status, stderr } = run(file, `${option}=${value}`);
  expect(lines(stderr)).toHaveLength(1);
  expect(stderr).toContain(`${option} takes`);
  expect(status).toBe(2);
});

it("fails a conformance run that no case matches, for it has shown nothing", () => {
  const { status, stdout } = run("test/conformance/main.ts", "test/vendor/golden/cases", "--tags", "no-such-tag");
  expect(stdout).toBe("No case in test/vendor/golden/cases has the tags no-such-tag.\n");
  expect(status).toBe(1);
});
