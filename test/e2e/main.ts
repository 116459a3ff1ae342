import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { commandLine } from "../command-line.js";
import { runChecks } from "./checks.js";
import { runCommand } from "./command.js";
import { openDeployment } from "./deployment.js";
import { emptyBuckets } from "./empty-buckets.js";
import { type LocalAws, ServerUnavailable, startLocalAws } from "./local-aws.js";

const USAGE = `
The example stacks on a LocalStack-compatible server without Docker, by the CDK CLI alone; checks; removal. Takes no options.

  npm run e2e

Exit codes: 0 all checks hold, 1 one does not, 2 the server cannot be installed or started here, or the command line is wrong.
`;
const LIMIT_MS = 15 * 60_000;
const STACKS = ["TidemarkPageViews", "TidemarkFlights", "TidemarkAdClicks", "TidemarkOrders"];
const CONTEXT = ["retain=false", "shards=4", "batchingWindow=1", "alarmsOnExpressions=false"];

const write = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** One CDK command, with what it took; false if it failed, and then its last lines. */
async function step(title: string, aws: LocalAws, signal: AbortSignal, args: readonly string[]): Promise<boolean> {
  const began = Date.now();
  const context = CONTEXT.flatMap((value) => ["-c", value]);
  const common = ["--no-notices", "--no-color", "--output", join(aws.directory, "cdk.out"), ...context];
  const env = { ...process.env, ...aws.variables };
  const { code, output } = await runCommand(join("node_modules", ".bin", "cdk"), [...args, ...common], { env, signal });
  write(`${code === 0 ? "ok  " : "FAIL"} ${title}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
  if (code !== 0) write(output.split("\n").slice(-40).join("\n"));
  return code === 0;
}

/** Failed steps and failed checks; without a deployment nothing else is tried. */
async function run(aws: LocalAws, signal: AbortSignal): Promise<number> {
  const outputs = join(aws.directory, "outputs.json");
  const deploy = [
    "deploy",
    ...STACKS,
    "--require-approval",
    "never",
    "--progress",
    "events",
    "--outputs-file",
    outputs,
  ];
  const deployed =
    (await step("cdk bootstrap", aws, signal, ["bootstrap", "aws://000000000000/us-east-1"])) &&
    (await step("cdk synth", aws, signal, ["synth", "--quiet"])) &&
    (await step("cdk deploy, four stacks", aws, signal, deploy));
  if (!deployed) return 1;
  const unchanged = await step("cdk diff is empty", aws, signal, ["diff", "--fail"]);
  const failures = await runChecks(outputs, write);
  await emptyBuckets(await openDeployment(outputs), STACKS);
  const destroyed = await step("cdk destroy", aws, signal, ["destroy", ...STACKS, "--force"]);
  return failures + (unchanged ? 0 : 1) + (destroyed ? 0 : 1);
}

async function main(): Promise<number> {
  const began = Date.now();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), LIMIT_MS);
  let aws: LocalAws | undefined;
  const interrupt = (): void => {
    limit.abort();
    void aws?.stop().finally(() => process.exit(130));
  };
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  limit.signal.addEventListener("abort", () => void aws?.stop());
  try {
    aws = await startLocalAws(".tidemark");
    Object.assign(process.env, aws.variables);
    write(`server at ${aws.variables["AWS_ENDPOINT_URL"]}`);
    const failures = await run(aws, limit.signal);
    if (failures > 0) write(await lastLines(aws.logFile));
    return failures === 0 ? 0 : 1;
  } catch (error) {
    write((error as Error).message);
    if (error instanceof ServerUnavailable)
      write("The end-to-end run needs python3 with venv and pip, and a package index.");
    return error instanceof ServerUnavailable ? 2 : 1;
  } finally {
    clearTimeout(timer);
    await aws?.stop();
    write(`all in ${Math.round((Date.now() - began) / 1000)} s; the server is stopped`);
  }
}

const lastLines = async (file: string): Promise<string> => {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.split("\n").slice(-20).join("\n");
};

commandLine(USAGE, {});
process.exitCode = await main();
