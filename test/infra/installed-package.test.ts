import { execFile } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const exec = promisify(execFile);

/** A user's app, in a directory where only the built package is known, bundling included. */
const APP = `import { App, Stack } from "aws-cdk-lib";
import { StreamingQuery } from "tidemark/infra";
import { orders } from "./orders.mjs";
const app = new App({ outdir: "out" });
new StreamingQuery(new Stack(app, "Orders"), "Query", { query: orders, entry: "orders.mjs" });
app.synth();
`;
const QUERY = `import { columns, kinesis, readStream, s3, string } from "tidemark";
import { queryHandler } from "tidemark/lambda";
export const orders = readStream(kinesis({ stream: "orders", schema: columns({ id: string() }) })).writeStream({
  queryName: "orders", outputMode: "append", sink: s3(),
});
export const handler = queryHandler(orders);
`;

it("synthesises with its code from the built package tidemark/infra, sweeper included", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tidemark-infra-"));
  try {
    const modules = join(directory, "node_modules");
    const home = join(modules, "tidemark");
    mkdirSync(home, { recursive: true });
    for (const name of readdirSync(join(ROOT, "node_modules")))
      if (name !== ".cache") symlinkSync(join(ROOT, "node_modules", name), join(modules, name));
    copyFileSync(join(ROOT, "package.json"), join(home, "package.json"));
    for (const project of ["tsconfig.build.json", "infra/tsconfig.build.json"]) {
      const places = ["--outDir", join(home, "dist"), "--tsBuildInfoFile", join(directory, "build-info")];
      await exec(join(ROOT, "node_modules/.bin/tsc"), ["-p", join(ROOT, project), ...places]);
    }
    writeFileSync(join(directory, "package-lock.json"), "{}");
    writeFileSync(join(directory, "orders.mjs"), QUERY);
    writeFileSync(join(directory, "app.mjs"), APP);
    await exec(process.execPath, ["app.mjs"], { cwd: directory });
    const assets = readdirSync(join(directory, "out")).filter((name) => name.startsWith("asset."));
    const bundles = assets.map((name) => readFileSync(join(directory, "out", name, "index.mjs"), "utf8"));
    expect(bundles).toHaveLength(2);
    expect(bundles.filter((code) => code.includes("tidemark-sweeper"))).toHaveLength(1);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}, 300_000);
