import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { applied } from "./build.js";
import { MUTANTS } from "./mutants.js";

describe("the mutants", () => {
  it.each(MUTANTS)("change the code as it stands: $name", async ({ edits }) => {
    const sources = new Map<string, string>();
    for (const edit of edits) {
      const source = sources.get(edit.file) ?? (await readFile(edit.file, "utf8"));
      const changed = applied(source, edit);
      expect(changed).not.toBe(source);
      sources.set(edit.file, changed);
    }
  });

  it("have names of their own", () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  });
});
