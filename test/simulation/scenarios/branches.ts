import { countsPerWindow, written } from "./query-of.js";
import type { Model, Scenario } from "./scenario.js";
import { streamOf } from "./stream-of.js";
import { tumbling } from "./tumbling.js";

const WEB = "web";
const APP = "app";

/** Two equal operators without ids, each over a stream of its own; every second generation of the code has them the other way round. */
export const branches: Scenario = {
  name: "branches",
  watermarks: [
    { streams: [WEB], delayMs: 8_000 },
    { streams: [APP], delayMs: 8_000 },
  ],
  definition: (options) => {
    const [web, app] = [WEB, APP].map((stream) => countsPerWindow(streamOf(options, stream), options));
    const both = options.turned ? app!.union(web!) : web!.union(app!);
    return both.writeStream(written(options, "append")).definition;
  },
  model,
  describe: tumbling.describe,
};

function model(): Model {
  const models = [WEB, APP].map((stream) => ({ stream, model: tumbling.model() }));
  return {
    batch(rows, before, after) {
      const each = models.map((own) =>
        own.model.batch(
          rows.filter(({ record }) => record.stream === own.stream),
          before,
          after,
        ),
      );
      return { result: each.flatMap(({ result }) => result), late: each.flatMap(({ late }) => late) };
    },
  };
}
