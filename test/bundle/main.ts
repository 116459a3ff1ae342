/** `npm run bundle-size`: size and cold start of every function as it is deployed. Fails above the budget of size; times are printed, never judged. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleParts, functionEntries } from "./bundle-parts.js";
import { emptyHandler, importMs } from "./cold-start.js";

const ENGINE_BUDGET = 400_000;
const INIT_BUDGET_MS = 100;

const kb = (bytes: number): string => `${Math.round(bytes / 1000)} KB`.padStart(8);
const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const directory = await mkdtemp(join(tmpdir(), "tidemark-bundle-"));
try {
  const empty = await importMs(await emptyHandler(directory));
  write(`${"function".padEnd(26)}  engine    + SDK   = file   init over an empty handler (${empty.toFixed(0)} ms)`);
  let over = 0;
  for (const entry of await functionEntries()) {
    const { engineBytes, sdkBytes, bytes, file, largest } = await bundleParts(entry, directory);
    const init = (await importMs(file)) - empty;
    if (engineBytes > ENGINE_BUDGET) over += 1;
    write(`${entry.padEnd(26)}${kb(engineBytes)} ${kb(sdkBytes)} ${kb(bytes)}   ${init.toFixed(0)} ms`);
    const top = largest.slice(0, 6).map(([part, size]) => `${part} ${Math.round(size / 1000)}`);
    write(`${"".padEnd(28)}${top.join(", ")}`);
  }
  write(`budget: engine ${ENGINE_BUDGET / 1000} KB minified, init ${INIT_BUDGET_MS} ms`);
  if (over > 0) {
    write(`${over} above the budget of size`);
    process.exitCode = 1;
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
