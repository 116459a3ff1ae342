import { count, sum } from "../../../lib/api/aggregates.js";
import { memory } from "../../../lib/api/descriptors.js";
import { window } from "../../../lib/api/window.js";
import type { Scenario } from "./scenario.js";
import { streamOf } from "./stream-of.js";
import { tumbling } from "./tumbling.js";

const WEB = "web";
const APP = "app";

/** One watermark above two streams: what either has shown, up to where the slowest shard of both was read. */
export const union: Scenario = {
  ...tumbling,
  name: "union",
  watermarks: [{ streams: [WEB, APP], delayMs: 8_000 }],
  definition: (options) =>
    streamOf(options, WEB)
      .union(streamOf(options, APP))
      .withWatermark("t", "8 seconds")
      .groupBy(window("t", "10 seconds"), "k")
      .agg({ n: count(), ids: sum("id") })
      .writeStream({
        queryName: "q",
        outputMode: "append",
        sink: memory(),
        options: { inlineLimitBytes: options.inlineLimitBytes },
      }).definition,
};
