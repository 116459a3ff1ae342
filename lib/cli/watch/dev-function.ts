import type { Query } from "../../api/query.js";
import { childEnvironment } from "../../local/child-environment.js";
import { createQueryResources, type Deployment, deployQuery } from "../../local/deployment.js";
import type { Stack } from "../../local/stack.js";
import type { QueryProgress } from "../../runtime/progress.js";
import { bundleToTemporaryFile } from "../bundle.js";
import { functionLog } from "./function-log.js";

export const DEV = Object.freeze({ table: "tidemark-dev", bucket: "tidemark-dev" });

interface DevFunctionOptions {
  readonly stack: Stack;
  readonly file: string;
  readonly query: Query;
  readonly streams: readonly string[];
  readonly onEvent: (event: unknown) => void;
  readonly onProgress: (progress: QueryProgress) => void;
  readonly onError: (words: string) => void;
}

/** The query's function in a process of its own, with mapping and tick, as the file stands now. */
export async function startDevFunction(options: DevFunctionOptions): Promise<Pick<Deployment, "stop">> {
  const { stack, file, streams, onError } = options;
  const name = options.query.definition.queryName;
  const variables = await createQueryResources(stack, DEV);
  const bundle = await bundleToTemporaryFile(file);
  const environment = childEnvironment({
    handlerFile: bundle.file,
    functionName: name,
    memoryMb: 1_769,
    // What the function may see of the machine's own clock and nothing else of this process.
    variables: { ...variables, POWERTOOLS_METRICS_DISABLED: "true", TIDEMARK_LOG_ERROR_MESSAGES: "true" },
    onOutput: functionLog(options.onProgress, onError),
  });
  const deployment = await deployQuery({
    stack,
    name,
    streams,
    function: {
      ...environment,
      async invoke(event) {
        options.onEvent(event);
        try {
          return await environment.invoke(event);
        } catch (error) {
          onError((error as Error).message);
          throw error;
        }
      },
    },
    onError: (error) => onError((error as Error).message),
  });
  return {
    async stop() {
      await deployment.stop();
      await bundle.remove();
    },
  };
}
