import { randomBytes } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * A value in a directory with compare-and-set between processes: version v is the file `<name>.<v>`, the highest one stands.
 * `link` makes a version whole and exclusively; a writer that slept until its version was removed again is found out by
 * looking for a higher one afterwards.
 */
export interface VersionedFile {
  read(): Promise<{ readonly version: number; readonly bytes: Uint8Array } | null>;
  /** On condition that `expected` stands (0: nothing does). */
  write(version: number, expected: number, bytes: Uint8Array): Promise<boolean>;
}

export function versionedFile(directory: string, name: string): VersionedFile {
  const pathOf = (version: number) => join(directory, `${name}.${version}`);

  const versions = async (): Promise<number[]> => {
    const files = await unlessMissing(readdir(directory), []);
    return files
      .filter((file) => file.startsWith(`${name}.`) && /^\d+$/.test(file.slice(name.length + 1)))
      .map((file) => Number(file.slice(name.length + 1)))
      .sort((a, b) => b - a);
  };

  return {
    async read() {
      for (;;) {
        const [version] = await versions();
        if (version === undefined) return null;
        const bytes = await unlessMissing(readFile(pathOf(version)), null);
        if (bytes !== null) return { version, bytes };
      }
    },
    async write(version, expected, bytes) {
      const [standing] = await versions();
      if ((standing ?? 0) !== expected) return false;
      await mkdir(directory, { recursive: true });
      const temporary = join(directory, `.${name}-${randomBytes(8).toString("hex")}`);
      await writeDurably(temporary, bytes);
      try {
        await link(temporary, pathOf(version));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
        throw error;
      } finally {
        await rm(temporary, { force: true });
      }
      const [highest, ...older] = await versions();
      if (highest !== version) {
        await rm(pathOf(version), { force: true });
        return false;
      }
      for (const old of older) await rm(pathOf(old), { force: true });
      return true;
    },
  };
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

export async function unlessMissing<T>(result: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return otherwise;
    throw error;
  }
}
