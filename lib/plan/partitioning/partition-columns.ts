import type { LogicalNode } from "../logical-plan.js";
import type { DataType } from "../schema.js";
import type { Cut } from "./cut.js";
import { type Lineage, traceColumns } from "./lineage.js";

/** A column by whose values rows are spread: under one name per input, of one type. */
export interface PartitionColumn {
  /** As the first input calls it. */
  readonly name: string;
  readonly type: DataType;
  /** By input. */
  readonly columns: readonly string[];
}

interface PartitionColumns {
  /** What the keys of all stateful operators have in common, in the order of the first input's columns. */
  readonly common: readonly PartitionColumn[];
  /** The columns of the result that hold each of them, by `name`. */
  readonly inResult: ReadonlyMap<string, readonly string[]>;
}

/** The columns that tell, of any row at the cut, which partition holds all state that it may touch (S2). */
export function partitionColumnsOf(plan: LogicalNode, cut: Cut): PartitionColumns {
  const { result, nodes, operators } = traceColumns(plan, cut);
  const all = cut.sources.map((_, input) => input);
  const complete = [...nodes.flatMap((node) => [...node.values()]), ...operators.flatMap(({ keys }) => keys)]
    .filter(({ columns }) => all.every((input) => columns.has(input)))
    .filter((lineage) =>
      operators.every(({ inputs, keys }) => keys.some((key) => inputs.every((input) => agree(key, lineage, input)))),
    );
  const first = cut.points[0]?.top.schema.fields.map(({ name }) => name) ?? [];
  const common = distinct(complete.map((lineage) => columnOf(lineage, all))).sort(
    (a, b) => first.indexOf(a.name) - first.indexOf(b.name),
  );
  const inResult = common.map((column): [string, string[]] => [
    column.name,
    [...result].flatMap(([name, lineage]) => (isOf(lineage, column) ? [name] : [])),
  ]);
  return { common, inResult: new Map(inResult) };
}

const agree = (a: Lineage, b: Lineage, input: number): boolean => a.columns.get(input) === b.columns.get(input);

const columnOf = ({ type, columns }: Lineage, inputs: readonly number[]): PartitionColumn => ({
  name: columns.get(inputs[0]!)!,
  type,
  columns: inputs.map((input) => columns.get(input)!),
});

const isOf = ({ columns }: Lineage, column: PartitionColumn): boolean =>
  column.columns.every((name, input) => columns.get(input) === name);

/** One column per name of the first input: of a self join by several columns, any of those that fit. */
function distinct(columns: readonly PartitionColumn[]): PartitionColumn[] {
  const byName = new Map<string, PartitionColumn>();
  for (const column of columns) if (!byName.has(column.name)) byName.set(column.name, column);
  return [...byName.values()];
}
