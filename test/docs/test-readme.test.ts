import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const TESTS = join(import.meta.dirname, "..");

it("test/README.md asks a question for every folder of tests, in order, and for no other", () => {
  const folders = readdirSync(TESTS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const asked = [...readFileSync(join(TESTS, "README.md"), "utf8").matchAll(/^\| `(\w+)` \|/gm)].map(
    ([, name]) => name,
  );
  expect(asked).toEqual(folders.map(({ name }) => name).sort());
});
