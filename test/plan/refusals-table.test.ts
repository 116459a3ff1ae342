import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ALL_REFUSALS, refusalsPage } from "../../lib/plan/refusals-table.js";
import { defineCase } from "../conformance/define-case.js";
import type { GoldenCase } from "../conformance/golden-case.js";
import { codeOf } from "./plans.js";

const root = join(import.meta.dirname, "../..");
const known = new Map(ALL_REFUSALS);

test("docs/refusals.md is what the tables make (write it anew with UPDATE_DOCS=1)", async () => {
  const path = join(root, "docs/refusals.md");
  if (process.env["UPDATE_DOCS"] !== undefined) {
    const { writeFileSync } = await import("node:fs");
    writeFileSync(path, refusalsPage());
  }
  expect(readFileSync(path, "utf8")).toBe(refusalsPage());
});

test("every code that the plan or the builder throws stands in a table", () => {
  const thrown = ["lib/plan", "lib/api"]
    .flatMap((room) => sourceFiles(join(root, room)))
    .concat(join(root, "lib/time/duration.ts"))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/(?:userError|changed)\(\s*"([a-z-]+)"/g)])
    .map((match) => match[1] ?? "");
  expect(thrown.length).toBeGreaterThan(10);
  expect(thrown.filter((code) => !known.has(code))).toEqual([]);
});

const sourceFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));

const casesDir = join(root, "test/vendor/golden/cases");
const refusedBySpark = readdirSync(casesDir)
  .map((name): GoldenCase => JSON.parse(readFileSync(join(casesDir, name), "utf8")))
  .flatMap((golden) => {
    const error =
      golden.expect?.error ??
      golden.steps.flatMap((step) =>
        step.expect !== undefined && "error" in step.expect ? [step.expect.error] : [],
      )[0];
    const condition = (error as { condition?: string | null } | undefined)?.condition;
    return condition === undefined || condition === null ? [] : [{ name: golden.name, golden, condition }];
  });

/** Run time alone can tell: what a handler asks for, a restart; or accepted on purpose (SEMANTICS 0.8, 0.11); or there is no such verb. */
const NOT_AT_BUILD = [
  "error-count-distinct",
  "error-delay-abbrev",
  "error-delay-no-space",
  "error-gs-timeout-in-the-past",
  "error-offset",
  "error-restart-changed-aggregates",
  "error-restart-changed-keys",
];

test.each(refusedBySpark.filter(({ name }) => !NOT_AT_BUILD.includes(name)))(
  "$name is refused at build under a code that names Spark's condition",
  ({ golden, condition }) => {
    const code = codeOf(() => defineCase(golden, golden.query, golden.conf));
    expect(known.get(code)?.spark).toContain(condition);
  },
);
