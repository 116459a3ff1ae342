import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
/** Below node_modules, so that the examples find what they import where a user's would. */
const FOLDER = join(ROOT, "node_modules/.cache/doc-examples");
const PAGES = ["docs/sources", "docs/sinks"];

type Failure = Error & { readonly code: number; readonly stdout: string };

const FENCE = /^```ts\n([\s\S]*?)^```$/gm;

const CONFIG = {
  extends: "../../../tsconfig.json",
  compilerOptions: {
    incremental: false,
    tsBuildInfoFile: null,
    paths: {
      tidemark: ["../../../lib/index.ts"],
      "tidemark/lambda": ["../../../lib/lambda.ts"],
      "tidemark/testing": ["../../../lib/testing.ts"],
      "tidemark/local": ["../../../lib/local.ts"],
      "tidemark/avro": ["../../../lib/avro.ts"],
      "tidemark/infra": ["../../../infra/index.ts"],
    },
  },
  include: ["*.ts"],
};

it("every example of the pages on sources and sinks compiles against the public doors", async () => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, "tsconfig.json"), JSON.stringify(CONFIG));
  let examples = 0;
  for (const folder of PAGES) {
    for (const page of await readdir(join(ROOT, folder))) {
      const text = await readFile(join(ROOT, folder, page), "utf8");
      for (const [at, [, code]] of [...text.matchAll(FENCE)].entries()) {
        const name = `${basename(folder)}-${basename(page, ".md")}-${at}.ts`;
        await writeFile(join(FOLDER, name), `${code}\nexport {};\n`);
        examples++;
      }
    }
  }
  expect(examples).toBeGreaterThan(8);
  const tsc = join(ROOT, "node_modules/.bin/tsc");
  const ran = await promisify(execFile)(tsc, ["-p", FOLDER], { cwd: FOLDER }).catch((failed: Failure) => failed);
  if ("code" in ran && ran.stdout === "") throw ran;
  // Errors of the library itself are the type check's to report.
  expect(ran.stdout.split("\n").filter((line) => /^(sources|sinks)-/.test(line))).toEqual([]);
});
