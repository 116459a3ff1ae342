import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { MUTANTS } from "../mutants/mutants.js";
import { INVARIANTS } from "../simulation/violation.js";

/** First columns of the tables below a heading, without their marks. */
async function firstColumns(heading: string): Promise<readonly string[]> {
  const page = await readFile("docs/exactly-once.md", "utf8");
  const section = page.split(/^## /m).find((text) => text.startsWith(heading))!;
  return section
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split("|")[1]!.trim());
}

describe("docs/exactly-once.md", () => {
  it("names every invariant that the simulator checks, and no other", async () => {
    const named = (await firstColumns("The simulator")).flatMap((cell) => [...cell.matchAll(/`([a-z-]+)`/g)]);
    expect(named.map(([, name]) => name).sort()).toEqual([...INVARIANTS].sort());
  });

  it("names every mutant, and no other", async () => {
    const rows = (await firstColumns("Mutants")).filter((cell) => cell !== "mutant" && !cell.startsWith("---"));
    expect(rows.sort()).toEqual(MUTANTS.map(({ name }) => name).sort());
  });
});
