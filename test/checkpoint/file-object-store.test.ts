import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileObjectStore } from "../../lib/checkpoint/file-object-store.js";
import { objectStoreContract } from "../contract/object-store.js";

const directory = mkdtempSync(join(tmpdir(), "tidemark-objects-"));
let made = 0;

objectStoreContract("files", {
  make: () => fileObjectStore(join(directory, String(++made))),
  now: Date.now,
  stop: async () => rmSync(directory, { recursive: true }),
});

it("refuses keys that lead out of the directory", async () => {
  await expect(fileObjectStore(directory).put("../outside", Uint8Array.of(1))).rejects.toThrow("object-key-outside");
});
