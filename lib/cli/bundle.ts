import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { userError } from "../errors.js";
import { ownPackage } from "./own-package.js";

interface BundleOptions {
  readonly outfile: string;
  readonly minify?: boolean;
  /** Modules left to be found at run time; none by default, so the bundle runs anywhere. */
  readonly external?: readonly string[];
}

/**
 * The one step from a query file to what Node runs: TypeScript and all imports in one ES module. The CLI, the embedded stack and the
 * deployed function load the result of this step.
 */
async function bundleQuery(entry: string, options: BundleOptions): Promise<void> {
  try {
    await build({
      entryPoints: [entry],
      outfile: options.outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node20",
      minify: options.minify ?? false,
      sourcemap: "linked",
      external: [...(options.external ?? [])],
      mainFields: ["module", "main"],
      logLevel: "silent",
      plugins: [ownPackage],
      // Dependencies in CommonJS call require for Node's own modules.
      banner: {
        js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
      },
    });
  } catch (cause) {
    throw userError(
      "query-file-invalid",
      `${entry} cannot be bundled: ${(cause as Error).message}`,
      "Correct the file.",
      cause,
    );
  }
}

export interface TemporaryBundle {
  readonly file: string;
  remove(): Promise<void>;
}

export async function bundleToTemporaryFile(entry: string): Promise<TemporaryBundle> {
  const directory = await mkdtemp(join(tmpdir(), "tidemark-"));
  const remove = () => rm(directory, { recursive: true, force: true });
  const file = join(directory, "index.mjs");
  try {
    await bundleQuery(entry, { outfile: file });
  } catch (error) {
    await remove();
    throw error;
  }
  return { file, remove };
}

/** A query file's exports, loaded into this process. They carry their own copy of this library: recognise them by brand, not by class. */
export async function importQueryFile(entry: string): Promise<Readonly<Record<string, unknown>>> {
  const { file, remove } = await bundleToTemporaryFile(entry);
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } finally {
    await remove();
  }
}
