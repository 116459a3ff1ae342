import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as testing from "../../lib/testing.js";

const here = import.meta.dirname;
const page = readFileSync(join(here, "../../docs/testing.md"), "utf8");

test("docs/testing.md shows the example that runs here", () => {
  const example = readFileSync(join(here, "documented-example.test.ts"), "utf8")
    .replace("../../lib/index.js", "tidemark")
    .replace("../../lib/testing.js", "tidemark/testing");
  expect(/```ts\n([^`]*(?:`[^`]+`[^`]*)*)```/.exec(page)?.[1]).toBe(example);
});

test("docs/testing.md names every function of the kit", () => {
  expect(Object.keys(testing).filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});
