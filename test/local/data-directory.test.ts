import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDataDirectory } from "../../lib/local/data-directory.js";

describe("a data directory", () => {
  let path: string;
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), "tidemark-"));
  });
  afterEach(() => rmSync(path, { recursive: true }));

  it("belongs to one process until that lets go of it", () => {
    const first = openDataDirectory(path);
    expect(() => openDataDirectory(path)).toThrow("data-directory-in-use");
    first.release();
    expect(openDataDirectory(path).file("log")).toBe(join(path, "log"));
  });

  it("is taken over from a process that is gone", () => {
    writeFileSync(join(path, "lock"), "not a process");
    expect(() => openDataDirectory(path)).not.toThrow();
  });
});
