import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { userError } from "../errors.js";

/** What is kept of an input file, so that a resumed run can tell whether its ordinals still mean the same records. */
export interface FileIdentity {
  readonly path: string;
  readonly size: number;
  /** SHA-256 in hexadecimal, over `size` bytes from the start. */
  readonly hash: string;
}

export const identifyFiles = (paths: readonly string[]): Promise<readonly FileIdentity[]> =>
  Promise.all(paths.map(async (path) => identify(path, (await stat(path)).size)));

/**
 * Whether the files of a resumed run begin with those of the run before: the same in order and content, the last possibly grown,
 * new ones only behind it. The names may change.
 *
 * @throws `source-recreated`
 */
export async function verifyFiles(before: readonly FileIdentity[], paths: readonly string[]): Promise<void> {
  for (const [at, file] of before.entries()) {
    const path = paths[at];
    const size = path === undefined ? -1 : (await stat(path)).size;
    const maySuffice =
      at === before.length - 1 && paths.length === before.length ? size >= file.size : size === file.size;
    if (path === undefined || !maySuffice || (await identify(path, file.size)).hash !== file.hash) {
      throw userError(
        "source-recreated",
        `Input ${at + 1}, '${file.path}' at the first run, is missing or has changed.`,
        "Resume with the same files, more only at the end; or start anew with an empty checkpoint.",
      );
    }
  }
}

async function identify(path: string, size: number): Promise<FileIdentity> {
  const hash = createHash("sha256");
  if (size > 0) for await (const chunk of createReadStream(path, { end: size - 1 })) hash.update(chunk as Uint8Array);
  return { path, size, hash: hash.digest("hex") };
}
