import { ColumnBatch } from "../columns/column-batch.js";
import type { LatenessReport } from "../lateness/lateness-report.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import { decodeRecords } from "../runtime/decode-records.js";
import { sourcesOf } from "../runtime/query-sources.js";
import { sourceDecoder } from "../runtime/source-decoder.js";
import { latenessProbe, type ProbeOptions } from "./lateness-probe.js";
import { sourceBatches } from "./source-batches.js";

interface FileMeasurement extends ProbeOptions {
  /** Read in this order. */
  readonly paths: readonly string[];
  readonly batchSize: number;
}

/** Cuts micro-batches as `tidemark run` does, so that what is told of a delay is what a run with it does. */
export async function measureFiles(definition: QueryDefinition, measured: FileMeasurement): Promise<LatenessReport> {
  const { paths, batchSize } = measured;
  const probe = latenessProbe(definition, measured);
  const [source] = sourcesOf(definition.plan);
  const decode = sourceDecoder(source!, definition);
  for await (const records of sourceBatches(source!, { paths, batchSize })) {
    const { table, rows } = decodeRecords(decode, records);
    probe.batch(new ColumnBatch(table, rows, null));
  }
  return probe.meter.report();
}
