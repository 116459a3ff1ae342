import { count, sum } from "../../../lib/api/aggregates.js";
import { memory } from "../../../lib/api/descriptors.js";
import { window } from "../../../lib/api/window.js";
import { isPoison } from "../stream.js";
import type { Scenario } from "./scenario.js";
import { schema, streamOf } from "./stream-of.js";
import { tumbling } from "./tumbling.js";

/** A user function that throws at poison rows, before the watermark sees them, until a deploy mends it. */
const poison = (onError: "fail" | "malformed"): Scenario => ({
  ...tumbling,
  name: `poison-${onError}`,
  poison: { onError, reaches: () => true },
  definition: (options) =>
    streamOf(options)
      .flatMap(
        // Half of what it has to give is out when it throws.
        function* (row) {
          yield row;
          if (options.broken && isPoison(row)) throw new Error("poison");
        },
        { columns: schema },
      )
      .withWatermark("t", "8 seconds")
      .groupBy(window("t", "10 seconds"), "k")
      .agg({ n: count(), ids: sum("id") })
      .writeStream({
        queryName: "q",
        outputMode: "append",
        sink: memory(),
        options: { inlineLimitBytes: options.inlineLimitBytes, onError },
      }).definition,
});

export const poisonFails = poison("fail");
export const poisonIsMalformed = poison("malformed");
