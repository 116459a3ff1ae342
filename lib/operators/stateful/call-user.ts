import { TidemarkError, userError } from "../../errors.js";
import type { Row } from "../../plan/schema.js";

/** Runs user code for one key. What it throws is the query's fault; errors of ours pass as they are. */
export function callUser<Result>(operatorId: string, key: Row, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    if (error instanceof TidemarkError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw userError(
      "user-function",
      `The user function of ${operatorId} threw for key ${keyText(key)}: ${reason}.`,
      "Make the function handle such rows, or filter them out before it.",
      error,
    );
  }
}

const keyText = (key: Row): string =>
  JSON.stringify(key, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
