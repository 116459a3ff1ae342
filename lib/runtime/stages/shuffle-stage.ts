import type { StatePartition } from "../../checkpoint/state-partition.js";
import type { PartitionColumn } from "../../plan/partitioning/partition-columns.js";
import type { Row } from "../../plan/schema.js";
import type { ShuffleQuery } from "../../planner/plan-stages.js";
import type { PartsLimits } from "../../shuffle/shuffle-parts.js";
import type { ShuffleSinkOptions } from "../../shuffle/shuffle-sink.js";
import { partitionOf } from "../../state/partition-hash.js";
import type { QueryRuntime } from "../query-runtime.js";
import type { CutInputs } from "./shuffled-rows.js";

/** The first stage of a query in one environment: a ring per source shard, and where its rows go. */
export interface ShuffleStage {
  /** Its query is the plan before the cut, its result the shuffle stream. */
  readonly runtime: QueryRuntime;
  readonly shuffle: ShuffleQuery;
  readonly inputs: CutInputs;
  /** N. */
  readonly partitions: number;
  /** By input: the partition of a row at the cut. */
  readonly partitionOf: readonly ((row: Row) => number)[];
  readonly incarnation: string;
  readonly generation: number;
  readonly ringOf: (source: string, shard: string) => StatePartition;
  /** For tick records, which stand in no ring. */
  readonly stream: ShuffleSinkOptions;
  readonly limits: PartsLimits;
}

/** Both sides of a join under one seed and one codec: equal keys meet (S3). */
export const rowPartitions = (
  columns: readonly PartitionColumn[],
  inputs: number,
  partitions: number,
  seed: number,
): readonly ((row: Row) => number)[] =>
  Array.from({ length: inputs }, (_, input) =>
    partitionOf(
      columns.map(({ type, columns: names }) => ({ name: names[input]!, type })),
      partitions,
      seed,
    ),
  );
