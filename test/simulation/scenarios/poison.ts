import { isPoison } from "../stream.js";
import { countsPerWindow, written } from "./query-of.js";
import type { Scenario } from "./scenario.js";
import { schema, streamOf } from "./stream-of.js";
import { tumbling } from "./tumbling.js";

/** A user function that throws at poison rows, before the watermark sees them, until a deploy mends it. */
const poison = (onError: "fail" | "malformed"): Scenario => ({
  ...tumbling,
  name: `poison-${onError}`,
  poison: { onError, reaches: () => true },
  definition: (options) =>
    countsPerWindow(
      streamOf(options).flatMap(
        // Half of what it has to give is out when it throws.
        function* (row) {
          yield row;
          if (options.broken && isPoison(row)) throw new Error("poison");
        },
        { columns: schema },
      ),
      options,
    ).writeStream(written(options, "append", onError)).definition,
});

export const poisonFails = poison("fail");
export const poisonIsMalformed = poison("malformed");
