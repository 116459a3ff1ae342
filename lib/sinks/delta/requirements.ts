import { userError } from "../../errors.js";
import type { MetaData, Protocol } from "./actions.js";
import type { StagedCommit } from "./staged-commit.js";
import { hasColumnRules, hasLocalTimes } from "./table-schema.js";

/** Features that ask nothing of a writer whose tables do not use them, which the properties below make sure of. */
const FEATURES: ReadonlySet<string> = new Set([
  "appendOnly",
  "invariants",
  "timestampNtz",
  "checkConstraints",
  "changeDataFeed",
  "generatedColumns",
  "columnMapping",
  "identityColumns",
]);

/** Properties that a writer must honour and that are not honoured here. */
const REFUSED: Readonly<Record<string, (value: string) => boolean>> = {
  "delta.enableChangeDataFeed": isTrue,
  "delta.enableDeletionVectors": isTrue,
  "delta.enableRowTracking": isTrue,
  "delta.enableInCommitTimestamps": isTrue,
  "delta.enableIcebergCompatV1": isTrue,
  "delta.enableIcebergCompatV2": isTrue,
  "delta.columnMapping.mode": (value) => value !== "none",
  "delta.checkpointPolicy": (value) => value !== "classic",
};

function isTrue(value: string): boolean {
  return value.toLowerCase() === "true";
}

/**
 * Stops before a table is written whose rules would be broken.
 * @throws `delta-table` naming the feature or property
 */
export function requireWritable(protocol: Protocol, metaData: MetaData, commit: StagedCommit): void {
  const rewrites = commit.mode !== "append";
  const { minReaderVersion, minWriterVersion, readerFeatures, writerFeatures } = protocol;
  if (minReaderVersion > 3 || minWriterVersion > 7)
    throw refused(`its protocol is ${minReaderVersion} for readers and ${minWriterVersion} for writers`);
  const feature = [...(readerFeatures ?? []), ...(writerFeatures ?? [])].find((name) => !FEATURES.has(name));
  if (feature !== undefined) throw refused(`it has the feature ${feature}`);
  for (const [name, value] of Object.entries(metaData.configuration ?? {}))
    if (REFUSED[name]?.(value) === true || name.startsWith("delta.constraints."))
      throw refused(`its property ${name} is ${value}`);
  if (rewrites && isTrue(metaData.configuration?.["delta.appendOnly"] ?? "false"))
    throw refused("its property delta.appendOnly is true, and the query rewrites rows");
  if (hasColumnRules(metaData.schemaString)) throw refused("a column of it has a rule, an identity or a mapped name");
  if (hasLocalTimes(commit.schemaString) && !(writerFeatures ?? []).includes("timestampNtz"))
    throw refused("it lacks the feature timestampNtz, which a column of the query needs");
  if (metaData.partitionColumns.join() !== commit.partitionBy.join())
    throw refused(`it is partitioned by ${metaData.partitionColumns.join(", ") || "nothing"}`);
  if (metaData.format.provider !== "parquet") throw refused(`its files are ${metaData.format.provider}`);
}

const refused = (what: string) =>
  userError(
    "delta-table",
    `The Delta table cannot be written here: ${what}.`,
    "Unset the property, or write to a table of its own.",
  );
