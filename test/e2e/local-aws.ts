import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { runCommand } from "./command.js";

const PACKAGE = "ministack==1.5.33";
const HOST = "127.0.0.1";
/** The CLI keeps the account of an access key under HOME: of one that no other server has seen, and in a HOME of this run. */
const ACCESS_KEY = "tidemark-e2e";

/** Python or pip is missing: nothing can be said about the stacks. */
export class ServerUnavailable extends Error {}

export interface LocalAws {
  /** For the CDK CLI, SDK clients and the app. */
  readonly variables: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly logFile: string;
  stop(): Promise<void>;
}

/** A LocalStack-compatible server on loopback, in a process group of its own together with the functions that it runs. */
export async function startLocalAws(cache: string): Promise<LocalAws> {
  const program = await installed(resolve(cache));
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(resolve(cache), "e2e-"));
  for (const name of ["home", "tmp", "s3", "state"]) await mkdir(join(directory, name));
  // The server's own scripts are CommonJS; what lies below this project would be taken for ES modules.
  await writeFile(join(directory, "package.json"), "{}");
  const port = await freePort();
  const endpoint = `http://${HOST}:${port}`;
  const logFile = join(directory, "server.log");
  const log = openSync(logFile, "a");
  const server = spawn(program, [], {
    cwd: directory,
    detached: true,
    stdio: ["ignore", log, log],
    env: {
      PATH: process.env["PATH"],
      HOME: join(directory, "home"),
      TMPDIR: join(directory, "tmp"),
      // It listens on every interface otherwise.
      BIND_HOST: HOST,
      GATEWAY_PORT: String(port),
      S3_DATA_DIR: join(directory, "s3"),
      STATE_DIR: join(directory, "state"),
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    },
  });
  closeSync(log);
  let running = true;
  const ended = new Promise<void>((done) => {
    server.on("close", () => {
      running = false;
      done();
    });
    server.on("error", () => {
      running = false;
      done();
    });
  });
  const signalGroup = (signal: NodeJS.Signals): void => {
    try {
      if (server.pid !== undefined) process.kill(-server.pid, signal);
    } catch {
      // The group is gone.
    }
  };
  const stop = async (): Promise<void> => {
    signalGroup("SIGTERM");
    await Promise.race([ended, wait(5_000, undefined, { ref: false })]);
    signalGroup("SIGKILL");
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  const end = Date.now() + 30_000;
  while (!(await answers(endpoint))) {
    if (!running || Date.now() > end) {
      await stop();
      throw new ServerUnavailable(`${PACKAGE} does not start.`);
    }
    await wait(100);
  }
  return {
    directory,
    logFile,
    stop,
    variables: {
      HOME: join(directory, "home"),
      AWS_ENDPOINT_URL: endpoint,
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: ACCESS_KEY,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
      CDK_DISABLE_CLI_TELEMETRY: "true",
      JSII_SILENCE_WARNING_UNTESTED_NODE_VERSION: "true",
    },
  };
}

/** In a virtual environment that later runs find again; the mark is set when all of it is there. */
async function installed(cache: string): Promise<string> {
  const environment = join(cache, PACKAGE.replace("==", "-"));
  const program = join(environment, "bin", "ministack");
  const mark = join(environment, "complete");
  if (existsSync(mark)) return program;
  await rm(environment, { recursive: true, force: true });
  const steps: readonly (readonly [file: string, ...args: string[]])[] = [
    ["python3", "-m", "venv", environment],
    [join(environment, "bin", "pip"), "install", "--quiet", "--disable-pip-version-check", PACKAGE],
  ];
  for (const [file, ...args] of steps) {
    const { code, output } = await runCommand(file, args);
    if (code !== 0) throw new ServerUnavailable(`${file} ${args.join(" ")} ends with ${code}.\n${output.trim()}`);
  }
  await writeFile(mark, "");
  return program;
}

const answers = (endpoint: string): Promise<boolean> =>
  fetch(`${endpoint}/_localstack/health`).then(
    ({ ok }) => ok,
    () => false,
  );

const freePort = (): Promise<number> =>
  new Promise((done, failed) => {
    const probe = createServer();
    probe.on("error", failed);
    probe.listen(0, HOST, () => {
      const address = probe.address();
      probe.close(() => done(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
