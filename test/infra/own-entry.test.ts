import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { expect, it } from "vitest";
import { ownEntry } from "../../infra/own-entry.js";

it("finds the functions that come with the package, wherever the process runs", () => {
  for (const name of ["sweeper", "heartbeat"] as const) {
    expect(isAbsolute(ownEntry(name))).toBe(true);
    expect(existsSync(ownEntry(name))).toBe(true);
  }
});
