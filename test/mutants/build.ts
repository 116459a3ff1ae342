import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import type { Edit, Mutant } from "./mutant.js";

/** The simulator and everything under it as one file, with the mutant's edits in it. No mutant: as it is. */
export async function buildSimulator(
  mutant: Mutant | null,
  outfile: string,
  world: Mutant["world"] = mutant?.world,
): Promise<void> {
  await build({
    entryPoints: [world === "stages" ? "test/simulation/stages/main.ts" : "test/simulation/main.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile,
    logLevel: "error",
    plugins: mutant === null ? [] : [mutating(mutant)],
  });
}

const mutating = ({ edits }: Mutant): Plugin => ({
  name: "mutant",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const own = edits.filter(({ file }) => resolve(file) === path);
      if (own.length === 0) return undefined;
      return { contents: own.reduce(applied, await readFile(path, "utf8")), loader: "ts" };
    });
  },
});

/** A pattern that no longer stands exactly once would mutate nothing, or something else. */
export function applied(source: string, { file, find, replace }: Edit): string {
  const pieces = source.split(find);
  if (pieces.length !== 2) throw new Error(`${file} holds the pattern ${pieces.length - 1} times: ${find}`);
  return pieces.join(replace);
}
