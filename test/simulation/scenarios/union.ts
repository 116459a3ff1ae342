import { countsPerWindow, written } from "./query-of.js";
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
  definition: (options) => {
    const [first, second] = options.turned ? [APP, WEB] : [WEB, APP];
    return countsPerWindow(streamOf(options, first).union(streamOf(options, second)), options).writeStream(
      written(options, "append"),
    ).definition;
  },
};
