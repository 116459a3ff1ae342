import { type LambdaEnvironment, namedError } from "./lambda-environment.js";

interface FunctionPool<E extends LambdaEnvironment> extends LambdaEnvironment {
  /** In the order of their making. */
  readonly environments: readonly E[];
}

/**
 * A function's environments: an invocation takes the free one that worked last, or a new one, up to `concurrency` (10 by default);
 * beyond that it is refused as Lambda refuses it, and the event source mapping tries again.
 */
export function functionPool<E extends LambdaEnvironment>(make: () => E, { concurrency = 10 } = {}): FunctionPool<E> {
  const environments: E[] = [];
  const free: E[] = [];
  const take = (): E => {
    const warm = free.pop();
    if (warm) return warm;
    if (environments.length >= concurrency) throw namedError("TooManyRequestsException", "Rate Exceeded.");
    const made = make();
    environments.push(made);
    return made;
  };
  return {
    environments,
    async invoke(event) {
      const environment = take();
      try {
        return await environment.invoke(event);
      } finally {
        free.push(environment);
      }
    },
    async stop() {
      await Promise.all(environments.map((environment) => environment.stop()));
    },
  };
}
