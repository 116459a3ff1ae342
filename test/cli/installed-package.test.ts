import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { jsonLines, row, VIEWS, view, workspace } from "./support.js";

const ROOT = resolve(import.meta.dirname, "../..");
const exec = promisify(execFile);

/** A query file as it is deployed, handler and all. */
const DEPLOYED = `${VIEWS}
import { queryHandler } from "tidemark/lambda";
export const handler = queryHandler(views);
`;

/** What `npm install tidemark` would leave: the built package among its dependencies. */
async function install(directory: string): Promise<string> {
  const modules = join(directory, "node_modules");
  const home = join(modules, "tidemark");
  mkdirSync(home, { recursive: true });
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (!name.startsWith(".")) symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
  }
  copyFileSync(join(ROOT, "package.json"), join(home, "package.json"));
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const places = ["--outDir", join(home, "dist"), "--tsBuildInfoFile", join(directory, "build-info")];
  await exec(tsc, ["-p", join(ROOT, "tsconfig.build.json"), ...places]);
  return join(home, "dist/lib/cli/main.js");
}

test("the installed package runs, explains and refuses a query file that lies beside it", async () => {
  const { directory, file } = workspace();
  const main = await install(directory);
  const tidemark = (...args: string[]) => exec(process.execPath, [main, ...args], { cwd: directory });
  file("views.ts", DEPLOYED);
  file("v.jsonl", view("12:01") + view("12:40"));
  const ran = await tidemark("run", "views.ts", "--input", "v.jsonl", "--json");
  expect(jsonLines(ran.stdout)[0]).toEqual({ output: "result", batchId: 1, row: row("12:00", "12:05", 1) });
  expect((await tidemark("explain", "views.ts")).stdout).toContain("Query views: append mode");
  const failed = await tidemark("run", "missing.ts", "--input", "v.jsonl").catch((error: unknown) => error);
  expect(failed).toMatchObject({
    code: 1,
    stderr: "tidemark run: [query-file-missing] There is no file 'missing.ts'. Name a TypeScript or JavaScript file.\n",
  });
});
