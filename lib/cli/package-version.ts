import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Of the package that this file is part of, built or as source. */
export function packageVersion(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return String((JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: unknown }).version);
}
