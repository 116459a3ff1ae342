import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { QUERY_BUNDLING } from "../../infra/bundling.js";

export interface BundleParts {
  readonly entry: string;
  readonly file: string;
  /** Bytes of the whole file, minified. */
  readonly bytes: number;
  /** Of the AWS SDK with what only it needs. */
  readonly sdkBytes: number;
  /** The rest: this library, the query, and their dependencies. */
  readonly engineBytes: number;
  /** The largest inputs of the rest, by package or folder. */
  readonly largest: readonly (readonly [part: string, bytes: number])[];
}

const SDK = /^(@aws-sdk|@smithy|@aws|@aws-crypto|fast-xml-parser|strnum|mnemonist|obliterator|tslib|bowser|uuid)(\/|$)/;

/** Bundles one function with the options that it is deployed with, and takes the result apart. */
export async function bundleParts(entry: string, directory: string): Promise<BundleParts> {
  const file = join(directory, entry.replace(/\.ts$/, ".mjs").replaceAll("/", "-"));
  const { metafile } = await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    target: QUERY_BUNDLING.target ?? "node22",
    minify: QUERY_BUNDLING.minify ?? false,
    mainFields: [...(QUERY_BUNDLING.mainFields ?? [])],
    banner: { js: QUERY_BUNDLING.banner ?? "" },
    metafile: true,
    logLevel: "silent",
  });
  const output = Object.values(metafile.outputs)[0]!;
  const parts = new Map<string, number>();
  for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
    const part = partOf(path);
    parts.set(part, (parts.get(part) ?? 0) + bytesInOutput);
  }
  let sdkBytes = 0;
  for (const [part, bytes] of parts) if (SDK.test(part)) sdkBytes += bytes;
  return {
    entry,
    file,
    bytes: output.bytes,
    sdkBytes,
    engineBytes: output.bytes - sdkBytes,
    largest: [...parts].filter(([part]) => !SDK.test(part)).sort(([, a], [, b]) => b - a),
  };
}

/** The package of a dependency, the folder of our own file. */
function partOf(path: string): string {
  const inner = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  if (!path.includes("node_modules/")) return path.split("/").slice(0, 2).join("/");
  return inner
    .split("/")
    .slice(0, inner.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Every file of `functions/`: each is deployed. */
export const functionEntries = async (): Promise<readonly string[]> =>
  (await readdir("functions"))
    .filter((name) => name.endsWith(".ts"))
    .sort()
    .map((name) => `functions/${name}`);
