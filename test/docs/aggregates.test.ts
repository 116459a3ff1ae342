import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as tidemark from "../../lib/index.js";
import { AGGREGATES, GIVES } from "../../lib/plan/aggregate-functions.js";

const PAGE = join(import.meta.dirname, "../../docs/verbs/agg.md");
const TABLE = /\| aggregate \| takes [\s\S]*?(?=\n\n)/;

const table = [
  "| aggregate | takes | gives | of no value | a group keeps | |",
  "|---|---|---|---|---|---|",
  ...Object.values(AGGREGATES).map(
    ({ call, takes, gives, ofNone, keeps, says }) =>
      `| \`${call}\` | ${takes} | ${GIVES[gives].text} | ${ofNone} | ${keeps} | ${says} |`,
  ),
].join("\n");

describe("docs/verbs/agg.md", () => {
  it("has the table of aggregates that the engine goes by (write it anew with UPDATE_DOCS=1)", () => {
    if (process.env["UPDATE_DOCS"] !== undefined) {
      writeFileSync(
        PAGE,
        readFileSync(PAGE, "utf8").replace(TABLE, () => table),
      );
    }
    expect(readFileSync(PAGE, "utf8").match(TABLE)?.[0]).toBe(table);
  });

  it("names functions that the package exports", () => {
    const names = Object.values(AGGREGATES).flatMap(({ call }) =>
      [...call.matchAll(/(\w+)\(/g)].map(([, name]) => name),
    );
    expect(names).toHaveLength(Object.keys(AGGREGATES).length + 1);
    for (const name of names) expect(typeof Reflect.get(tidemark, name!), name).toBe("function");
  });
});
