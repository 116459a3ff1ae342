import { type Clock, systemClock } from "../runtime/clock.js";
import {
  contextFields,
  type FunctionSettings,
  type LambdaContext,
  lambdaContext,
  timeoutOf,
} from "./lambda-context.js";

export type LambdaHandler = (event: unknown, context: LambdaContext) => Promise<unknown>;

/** Where a function runs: one invocation at a time. */
export interface LambdaEnvironment {
  /** Rejects with what the handler threw, or with the name Lambda gives the failure. */
  invoke(event: unknown): Promise<unknown>;
  stop(): Promise<void>;
}

/** In this process: cheap, and a debugger sees it. It cannot be killed, so an invocation that timed out goes on unheard. */
export function inProcessEnvironment(
  handler: LambdaHandler,
  settings: FunctionSettings & { readonly clock?: Clock } = {},
): LambdaEnvironment {
  const clock = settings.clock ?? systemClock;
  const timeoutMs = timeoutOf(settings);
  return {
    async invoke(event) {
      // What a real invocation receives is a copy, and nothing that JSON cannot carry.
      const received: unknown = JSON.parse(JSON.stringify(event));
      const context = lambdaContext(contextFields(settings), clock.now() + timeoutMs, clock);
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(timedOut(timeoutMs)), timeoutMs);
      });
      try {
        return await Promise.race([handler(received, context), timeout]);
      } finally {
        clearTimeout(timer);
      }
    },
    stop: async () => {},
  };
}

export const timedOut = (timeoutMs: number): Error =>
  namedError("Sandbox.Timedout", `Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`);

export const namedError = (name: string, message: string): Error => Object.assign(new Error(message), { name });
