import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { userError } from "../errors.js";

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Beside this file in the package; a checkout runs from sources, and its page is what `npm run build` left in dist. */
const BUILT = new URL(import.meta.url.endsWith(".ts") ? "../../dist/lib/ui/page/" : "./page/", import.meta.url);

/** Every file that the server ever serves, by path, read once: no request reaches the disk. @throws `page-not-built` */
export function readPageFiles(folder = fileURLToPath(BUILT)): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  try {
    for (const path of filesUnder(folder)) {
      const type = TYPES[extname(path)];
      if (type === undefined) continue;
      const name = `/${relative(folder, path).split(sep).join("/")}`;
      files.set(name === "/index.html" ? "/" : name, { type, body: readFileSync(path) });
    }
  } catch (cause) {
    throw userError("page-not-built", "The page is not built.", "Run `npm run build:page`.", cause);
  }
  return files;
}

const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(join(folder, entry.name)) : [join(folder, entry.name)],
  );
