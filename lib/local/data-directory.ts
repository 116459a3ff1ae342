import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { userError } from "../errors.js";

export interface DataDirectory {
  file(name: string): string;
  release(): void;
}

/** Makes the directory and takes its lock: two processes appending to one log would garble it. A dead owner's lock is taken over. */
export function openDataDirectory(path: string): DataDirectory {
  mkdirSync(path, { recursive: true });
  const lock = join(path, "lock");
  takeLock(lock, path);
  return { file: (name) => join(path, name), release: () => rmSync(lock, { force: true }) };
}

function takeLock(lock: string, path: string): void {
  for (;;) {
    try {
      const file = openSync(lock, "wx");
      writeSync(file, String(process.pid));
      closeSync(file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const owner = Number(readFileSync(lock, "utf8"));
    if (isAlive(owner)) {
      throw userError(
        "data-directory-in-use",
        `${path} is in use by process ${owner}.`,
        "Stop that process, or name another directory.",
      );
    }
    rmSync(lock, { force: true });
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
