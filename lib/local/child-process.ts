import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import type { ChildMessage, InvokeMessage, SentError } from "./child-protocol.js";
import { namedError } from "./lambda-environment.js";

interface ChildOptions {
  /** A module that Node can import as it is: see `bundle.ts`. */
  readonly handlerFile: string;
  readonly handlerName: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  /** Lines that the function writes; both streams go to this process's by default. */
  readonly onOutput?: (text: string) => void;
}

/** A running child, loaded and ready. */
export interface LoadedChild {
  readonly pid: number;
  readonly exited: Promise<void>;
  alive(): boolean;
  /** Rejects when the child dies first. */
  invoke(message: Omit<InvokeMessage, "id">): Promise<unknown>;
  signal(name: "SIGKILL" | "SIGSTOP" | "SIGCONT"): void;
}

interface Waiting {
  readonly resolve: (response: unknown) => void;
  readonly reject: (error: Error) => void;
}

const MAIN = new URL(import.meta.url.endsWith(".ts") ? "./child-main.ts" : "./child-main.js", import.meta.url);

/** The child's program as JavaScript, whether this runs from sources or compiled. */
let program: Promise<string> | undefined;
const childProgram = (): Promise<string> => {
  program ??= readFile(fileURLToPath(MAIN), "utf8")
    .then((source) => transform(source, { loader: "ts", format: "esm", target: "node20" }))
    .then(({ code }) => code);
  return program;
};

/** Rejects when the module cannot be loaded; nothing is left running then. */
export async function startChild(options: ChildOptions): Promise<LoadedChild> {
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${options.memoryMb}`,
      "--enable-source-maps",
      "--input-type=module",
      "--eval",
      await childProgram(),
      options.handlerFile,
      options.handlerName,
    ],
    {
      stdio: options.onOutput ? ["ignore", "pipe", "pipe", "ipc"] : ["ignore", "inherit", "inherit", "ipc"],
      env: { PATH: process.env["PATH"] ?? "", TZ: "UTC", ...options.variables },
    },
  );
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => options.onOutput?.(text));
  }
  return new Promise((resolve, reject) => watch(child, resolve, reject));
}

function watch(child: ChildProcess, ready: (loaded: LoadedChild) => void, failed: (error: Error) => void): void {
  const waiting = new Map<number, Waiting>();
  let nextId = 0;
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const loaded: LoadedChild = {
    pid: child.pid ?? -1,
    exited,
    alive: () => child.exitCode === null && child.signalCode === null,
    invoke: (message) =>
      new Promise((resolve, reject) => {
        const id = nextId++;
        waiting.set(id, { resolve, reject });
        child.send({ ...message, id } satisfies InvokeMessage, (error) => {
          if (error && waiting.delete(id)) reject(error);
        });
      }),
    signal: (name) => void child.kill(name),
  };
  child.on("message", (message: ChildMessage) => {
    if (message.kind === "ready") ready(loaded);
    else if (message.kind === "unloadable") {
      failed(received(message.error));
      child.kill("SIGKILL");
    } else {
      const call = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.kind === "answer") call?.resolve(message.response);
      else call?.reject(received(message.error));
    }
  });
  child.once("error", failed);
  child.once("exit", (code, signal) => {
    const error = namedError("Runtime.ExitError", `Runtime exited with error: ${signal ?? `exit status ${code}`}`);
    failed(error);
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  });
}

const received = ({ name, message, stack }: SentError): Error =>
  Object.assign(new Error(message), { name, ...(stack === undefined ? {} : { stack }) });
