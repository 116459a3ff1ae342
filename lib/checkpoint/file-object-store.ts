import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { internalError } from "../errors.js";
import type { ObjectStore } from "./object-store.js";
import { unlessMissing } from "./versioned-file.js";

/** Objects as files below one directory; a key's slashes are folders. Files that begin with a dot are not objects yet. */
export function fileObjectStore(directory: string): ObjectStore {
  const pathOf = (key: string): string => {
    const path = join(directory, key);
    if (relative(directory, path).startsWith("..")) {
      throw internalError("object-key-outside", `The object key ${key} leads out of its directory.`);
    }
    return path;
  };
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true });
      const temporary = join(dirname(path), `.${randomBytes(8).toString("hex")}`);
      await writeFile(temporary, bytes);
      await rename(temporary, path);
    },
    get: (key) => unlessMissing<Uint8Array | null>(readFile(pathOf(key)), null),
    async delete(keys) {
      for (const key of keys) await rm(pathOf(key), { force: true });
    },
    async folders(prefix) {
      const entries = await unlessMissing(readdir(pathOf(prefix), { withFileTypes: true }), []);
      return entries
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort();
    },
    async *list(prefix) {
      const entries = await unlessMissing(readdir(directory, { recursive: true, withFileTypes: true }), []);
      const keys = entries
        .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
        .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join("/"))
        .filter((key) => key.startsWith(prefix))
        .sort();
      for (const key of keys) {
        const found = await unlessMissing(stat(pathOf(key)), null);
        if (found !== null) yield { key, modified: found.mtimeMs, size: found.size };
      }
    },
  };
}
