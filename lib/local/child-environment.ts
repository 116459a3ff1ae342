import { type LoadedChild, startChild } from "./child-process.js";
import { contextFields, type FunctionSettings, timeoutOf } from "./lambda-context.js";
import { type LambdaEnvironment, namedError, timedOut } from "./lambda-environment.js";

export interface ChildEnvironmentOptions extends FunctionSettings {
  /** An ES module that Node can import as it is, with all that it imports. */
  readonly handlerFile: string;
  /** `handler` by default. */
  readonly handlerName?: string;
  /** The function's environment variables; nothing of this process's is passed on but PATH. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly onOutput?: (text: string) => void;
}

export interface ChildEnvironment extends LambdaEnvironment {
  /** Of the process that holds the warm state; null while there is none. */
  pid(): number | null;
  /** How many processes there have been. */
  starts(): number;
  /** kill -9. The invocation under way rejects; the next one starts a new process. */
  kill(): Promise<void>;
  /**
   * Stops the process in its tracks, as a paused machine would be: the invocation under way rejects as timed out, the next one gets a new
   * process. Null if there is no process.
   */
  freeze(): FrozenEnvironment | null;
}

export interface FrozenEnvironment {
  readonly pid: number;
  /** Lets it run on: resolves with what its invocation returns in the end, undefined if there was none, rejects with what it throws. */
  thaw(): Promise<unknown>;
}

/** A process of its own per environment, so that tests and the demo can kill it where it stands. Times out and restarts as Lambda does. */
export function childEnvironment(options: ChildEnvironmentOptions): ChildEnvironment {
  const timeoutMs = timeoutOf(options);
  const living = new Set<LoadedChild>();
  let child: LoadedChild | null = null;
  let starts = 0;
  let current: { readonly answer: Promise<unknown>; readonly abandon: (error: Error) => void } | null = null;

  const warm = async (): Promise<LoadedChild> => {
    if (child?.alive()) return child;
    starts += 1;
    const started = await startChild({
      handlerFile: options.handlerFile,
      handlerName: options.handlerName ?? "handler",
      memoryMb: options.memoryMb ?? 512,
      variables: functionVariables(options),
      ...(options.onOutput ? { onOutput: options.onOutput } : {}),
    });
    living.add(started);
    void started.exited.then(() => living.delete(started));
    child = started;
    return started;
  };
  const end = async (victim: LoadedChild) => {
    victim.signal("SIGKILL");
    await victim.exited;
  };

  return {
    pid: () => (child?.alive() ? child.pid : null),
    starts: () => starts,
    async invoke(event) {
      const target = await warm();
      const answer = target.invoke({ event, context: contextFields(options), deadline: Date.now() + timeoutMs });
      answer.catch(() => {});
      let timer: NodeJS.Timeout | undefined;
      const abandoned = new Promise<never>((_, reject) => {
        current = { answer, abandon: reject };
        timer = setTimeout(() => {
          target.signal("SIGKILL");
          reject(timedOut(timeoutMs));
        }, timeoutMs);
      });
      try {
        return await Promise.race([answer, abandoned]);
      } finally {
        clearTimeout(timer);
        current = null;
      }
    },
    async kill() {
      if (child) await end(child);
    },
    freeze() {
      const frozen = child;
      if (!frozen?.alive()) return null;
      frozen.signal("SIGSTOP");
      child = null;
      const answer = current?.answer ?? Promise.resolve(undefined);
      current?.abandon(namedError("Sandbox.Timedout", "The environment was frozen."));
      return {
        pid: frozen.pid,
        thaw() {
          frozen.signal("SIGCONT");
          return answer;
        },
      };
    },
    async stop() {
      await Promise.all([...living].map(end));
      child = null;
    },
  };
}

function functionVariables({ functionName = "local", memoryMb = 512, variables }: ChildEnvironmentOptions) {
  return {
    AWS_LAMBDA_FUNCTION_NAME: functionName,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    ...variables,
  };
}
