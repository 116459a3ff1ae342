import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

/**
 * `tidemark` and its doors mean what is installed beside the query's file; where nothing is, they mean this copy, so that a query file
 * can be tried wherever it lies.
 */
export const ownPackage: Plugin = {
  name: "own-package",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^tidemark($|\/(lambda|testing|local)$)/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === "own-package") return null;
      const installed = await resolve(path, {
        pluginData: "own-package",
        kind: from.kind,
        importer: from.importer,
        resolveDir: from.resolveDir,
      });
      return installed.errors.length === 0 ? installed : { path: doorOf(path) };
    });
  },
};

/** Beside this room: TypeScript in a checkout, JavaScript in the package. */
function doorOf(specifier: string): string {
  const name = specifier === "tidemark" ? "index" : specifier.slice("tidemark/".length);
  const [source, built] = ["ts", "js"].map((extension) =>
    fileURLToPath(new URL(`../${name}.${extension}`, import.meta.url)),
  ) as [string, string];
  return existsSync(source) ? source : built;
}
