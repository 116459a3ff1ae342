import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DataStream } from "../../lib/api/data-stream.js";
import { ALL_REFUSALS } from "../../lib/plan/refusals-table.js";

const here = import.meta.dirname;
const pages = join(here, "../../docs/verbs");
const names = readdirSync(pages)
  .filter((name) => name.endsWith(".md"))
  .map((name) => name.slice(0, -3));

/** The example as a reader would write it: the package by its name. */
const example = (name: string): string =>
  readFileSync(join(here, `${name}.ts`), "utf8").replace('from "../../lib/index.js"', 'from "tidemark"');

const BLOCK = /```ts\n[^`]*```/;

describe("docs/verbs", () => {
  test.each(names)("%s shows the example that is compiled (write it anew with UPDATE_DOCS=1)", (name) => {
    const path = join(pages, `${name}.md`);
    const block = `\`\`\`ts\n${example(name)}\`\`\``;
    if (process.env["UPDATE_DOCS"] !== undefined) {
      writeFileSync(
        path,
        readFileSync(path, "utf8").replace(BLOCK, () => block),
      );
    }
    expect(readFileSync(path, "utf8").match(BLOCK)?.[0]).toBe(block);
  });

  test.each(names)("%s has an example that builds", async (name) => {
    const built: object = await import(join(here, `${name}.ts`));
    expect(Object.keys(built).length).toBeGreaterThan(0);
  });

  test("there is a page for every verb of a stream", () => {
    const kebab = (verb: string) => verb.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const verbs = Object.getOwnPropertyNames(DataStream.prototype).filter(
      (verb) => !["constructor", "plan", "functions", "distinct"].includes(verb),
    );
    expect(verbs.length).toBeGreaterThan(12);
    expect(verbs.map(kebab).filter((verb) => !names.includes(verb))).toEqual([]);
  });

  test("codes named under Refused stand in the table of refusals", () => {
    const known = new Set(ALL_REFUSALS.map(([code]) => code));
    const named = names.flatMap((name) =>
      [...readFileSync(join(pages, `${name}.md`), "utf8").matchAll(/\*\*Refused\*\*: ([^\n]*)/g)].flatMap((line) =>
        [...(line[1] ?? "").matchAll(/`([a-z]+-[a-z-]+)`/g)].map((code) => code[1] ?? ""),
      ),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((code) => !known.has(code) && code !== "timeout-in-the-past")).toEqual([]);
  });
});
