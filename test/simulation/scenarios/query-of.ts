import { count, sum } from "../../../lib/api/aggregates.js";
import { memory } from "../../../lib/api/descriptors.js";
import { window } from "../../../lib/api/window-functions.js";
import type { DefinitionOptions } from "./scenario.js";
import type { streamOf } from "./stream-of.js";

/** How every scenario's query is written; where its results really go the world decides. */
export const written = <Mode extends "append" | "update">(
  { inlineLimitBytes }: DefinitionOptions,
  outputMode: Mode,
  onError: "fail" | "malformed" = "fail",
) => ({ queryName: "q", outputMode, sink: memory(), options: { inlineLimitBytes, onError } });

/** Rows and ids per window of ten seconds and key, of a stream or of several. */
export const countsPerWindow = (stream: ReturnType<typeof streamOf>, { turned }: Pick<DefinitionOptions, "turned">) => {
  const [n, ids] = [count(), sum("id")];
  return stream
    .withWatermark("t", "8 seconds")
    .groupBy(window("t", "10 seconds"), "k")
    .agg(turned ? { ids, n } : { n, ids });
};
