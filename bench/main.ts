import { execFile } from "node:child_process";
import { cpus } from "node:os";
import { promisify } from "node:util";
import { bundleToTemporaryFile } from "../lib/cli/bundle.js";
import { commandLine } from "../test/command-line.js";
import { type Figure, figureLine, isMet } from "./figure.js";
import { peers } from "./peers.js";
import { requests } from "./requests.js";

// The pinned SDK runs on Node 20, and says that later ones will not.
process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";

const USAGE = `
Measures speed, requests, bytes and memory, and prints each figure beside its budget (docs/benchmarks.md). One to three minutes.

  npm run bench
  npm run bench -- --json      one JSON document
  npm run bench -- --peers     other engines over the same files instead, those that Python can import:
                               pip install pyspark duckdb polars
  --python PATH                whose Python; python3 by default

Exit code 0 whether a budget is met or not: a busy machine is no failure.
`;
const { values } = commandLine(USAGE, {
  json: { type: "boolean", default: false },
  peers: { type: "boolean", default: false },
  python: { type: "string", default: "python3" },
});
const { json } = values;
const { file, remove } = await bundleToTemporaryFile(new URL("measured.ts", import.meta.url).pathname);

async function measured(section: string, ...more: readonly string[]): Promise<readonly Figure[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", file, section, ...more]);
  return JSON.parse(stdout) as readonly Figure[];
}

const againstPeers = {
  peers: () => peers(values.python, (folder) => measured("backfill", folder)),
};
const ownFigures = {
  throughput: () => measured("throughput"),
  matrix: () => measured("matrix"),
  requests,
  "large-state": () => measured("large-state"),
  "state-heap": () => measured("state-heap"),
};

try {
  const figures: Figure[] = [];
  for (const run of Object.values(values.peers ? againstPeers : ownFigures)) {
    const found = await run();
    figures.push(...found);
    if (!json) for (const figure of found) console.log(figureLine(figure));
  }
  const machine = `${cpus()[0]?.model.trim() ?? "unknown"}, ${cpus().length} cores, Node ${process.version}`;
  if (json)
    console.log(
      JSON.stringify({ machine, figures: figures.map((figure) => ({ ...figure, met: isMet(figure) })) }, null, 2),
    );
  else console.log(`\n${machine}`);
} finally {
  await remove();
}
