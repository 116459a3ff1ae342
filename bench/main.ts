import { execFile } from "node:child_process";
import { cpus } from "node:os";
import { promisify } from "node:util";
import { bundleToTemporaryFile } from "../lib/cli/bundle.js";
import { commandLine } from "../test/command-line.js";
import { type Figure, figureLine, isMet } from "./figure.js";
import { requests } from "./requests.js";

// The pinned SDK runs on Node 20, and says that later ones will not.
process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] = "true";

const USAGE = `
Measures speed, requests, bytes and memory, and prints each figure beside its budget (docs/benchmarks.md). One to three minutes.

  npm run bench
  npm run bench -- --json    one JSON document

Exit code 0 whether a budget is met or not: a busy machine is no failure.
`;
const json = commandLine(USAGE, { json: { type: "boolean", default: false } }).values.json;
const { file, remove } = await bundleToTemporaryFile(new URL("measured.ts", import.meta.url).pathname);

async function measured(section: string): Promise<readonly Figure[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", file, section]);
  return JSON.parse(stdout) as readonly Figure[];
}

const sections: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  throughput: () => measured("throughput"),
  matrix: () => measured("matrix"),
  requests,
  "large-state": () => measured("large-state"),
};

try {
  const figures: Figure[] = [];
  for (const run of Object.values(sections)) {
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
