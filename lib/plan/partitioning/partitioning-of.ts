import type { LogicalNode, QueryOptions } from "../logical-plan.js";
import { type Cut, cutOf } from "./cut.js";
import { type PartitionColumn, partitionColumnsOf } from "./partition-columns.js";

/** How the rows of a query are spread over its state partitions. */
interface Partitioning {
  /** N. */
  readonly count: number;
  /** Of the hash: another one would put every row elsewhere. */
  readonly seed: number;
  readonly columns: readonly PartitionColumn[];
  readonly cut: Cut;
}

const SEED = 0x7469_6465;

/** Null: one partition, one stage. The plan is taken as supported: `check-partitions` refuses before. */
export function partitioningOf(
  plan: LogicalNode,
  { statePartitions, partitionBy }: Pick<QueryOptions, "statePartitions" | "partitionBy">,
): Partitioning | null {
  if (statePartitions === 1) return null;
  const cut = cutOf(plan);
  const { common } = partitionColumnsOf(plan, cut);
  return { count: statePartitions, seed: SEED, cut, columns: chosenColumns(common, partitionBy).chosen };
}

/** `partitionBy` names columns as any input calls them, in any order; absent: all. */
export function chosenColumns(
  common: readonly PartitionColumn[],
  partitionBy: readonly string[] | undefined,
): { readonly chosen: readonly PartitionColumn[]; readonly unknown: readonly string[] } {
  if (partitionBy === undefined) return { chosen: common, unknown: [] };
  const isNamed = (column: PartitionColumn, name: string) => column.columns.includes(name);
  return {
    chosen: common.filter((column) => partitionBy.some((name) => isNamed(column, name))),
    unknown: partitionBy.filter((name) => !common.some((column) => isNamed(column, name))),
  };
}
