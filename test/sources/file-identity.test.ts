import { appendFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { identifyFiles, verifyFiles } from "../../lib/sources/file-identity.js";

let folder: string;
let paths: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "identity-"));
  paths = ["a", "b", "empty"].map((name) => join(folder, name));
  for (const path of paths.slice(0, 2)) await writeFile(path, `content of ${path}`);
  await writeFile(paths[2] as string, "");
});
afterEach(() => rm(folder, { recursive: true }));

describe("verifyFiles", () => {
  it("accepts the same files, a grown last one and more behind", async () => {
    const before = await identifyFiles(paths.slice(0, 2));
    await verifyFiles(before, paths.slice(0, 2));
    await verifyFiles(before, paths);
    await appendFile(paths[1] as string, "more");
    await verifyFiles(before, paths.slice(0, 2));
  });

  it("refuses a changed, shortened, missing or reordered file, and a grown one that others follow", async () => {
    const before = await identifyFiles(paths.slice(0, 2));
    const [a, b, empty] = paths as [string, string, string];
    const refused = (now: readonly string[]) => expect(verifyFiles(before, now)).rejects.toThrow(/source-recreated/);
    await refused([a]);
    await refused([b, a]);
    await refused([a, empty]);
    await appendFile(b, "more");
    await refused([a, b, empty]);
    await writeFile(a, `CONTENT of ${a}`);
    await refused([a, b]);
  });
});
