import type { SourceNode } from "../plan/logical-plan.js";
import { type FileColumns, fileBatches } from "../sources/files.js";

interface SourceFiles {
  readonly paths: readonly string[];
  readonly batchSize: number;
  readonly skip?: number;
  readonly onColumns?: ((columns: FileColumns) => void) | undefined;
}

/** The records of the files that stand in for a source, read as its options say. */
export function sourceBatches({ schema, descriptor }: SourceNode, files: SourceFiles) {
  const { paths, batchSize, skip = 0, onColumns } = files;
  const options = descriptor.kind === "files" ? (descriptor.options ?? {}) : {};
  // What a Standard Schema makes of a record may have other names.
  const told =
    onColumns === undefined || descriptor.validate !== undefined || descriptor.decode !== undefined
      ? {}
      : { onColumns };
  return fileBatches({ paths, schema, options, batchSize, skip, ...told });
}
