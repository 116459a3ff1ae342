import { type Aggregator, aggregator } from "../../../lib/operators/aggregates/aggregator.js";
import type { UserFunctions } from "../../../lib/operators/aggregates/compile-aggregate.js";
import type { Expression } from "../../../lib/plan/expression.js";
import type { AggregateSpec } from "../../../lib/plan/logical-plan.js";
import type { DataType, Row } from "../../../lib/plan/schema.js";
import { decodeRow, encodeRow } from "../../../lib/state/row-codec.js";
import { add } from "../batches.js";

const column = (name: string): Expression => ({ kind: "column", name });

export type Asked = Pick<AggregateSpec, "fn"> &
  Partial<Pick<AggregateSpec, "ignoreNulls" | "options">> & { readonly by?: true };

export function aggregateOf({ by, ...asked }: Asked, type: DataType, functions: UserFunctions = {}): Aggregator {
  const spec: AggregateSpec = {
    as: "out",
    type: "json",
    value: column("v"),
    ...(by ? { by: column("b") } : {}),
    ...asked,
  };
  const fields = [
    { name: "v", type, nullable: true },
    { name: "b", type: "long" as const, nullable: true },
  ];
  return aggregator([spec], { fields }, functions);
}

const finish = (group: Aggregator, accumulator: readonly unknown[]): unknown => {
  const row: Row = {};
  group.finish(accumulator, row);
  return row["out"];
};

/** As a state row rests: sealed, through the row codec, opened again. */
const stored = (group: Aggregator, accumulator: unknown[]): unknown[] => {
  group.seal(accumulator);
  return group.open(decodeRow(encodeRow(accumulator)) as unknown[]);
};

/**
 * The result over `rows` in one go; and it must be the same when the group rests in state after every row, and when two
 * halves are merged.
 */
export function resultOf(group: Aggregator, rows: readonly Row[]): unknown {
  const whole = group.create();
  for (const row of rows) add(group, whole, row);
  const result = finish(group, whole);

  let resting = group.create();
  for (const row of rows) {
    resting = stored(group, resting);
    add(group, resting, row);
  }
  const half = Math.floor(rows.length / 2);
  const [first, second] = [group.create(), group.create()];
  for (const [i, row] of rows.entries()) add(group, i < half ? first : second, row);
  group.seal(second);
  const merged = stored(group, first);
  group.merge(merged, second);
  for (const [how, other] of [
    ["resting in state", resting],
    ["merging", merged],
  ] as const) {
    const differs = JSON.stringify(finish(group, other), plain) !== JSON.stringify(result, plain);
    if (differs) throw new Error(`${how} gives ${String(finish(group, other))}, not ${String(result)}`);
  }
  return result;
}

/** Keys sorted, as the row codec leaves them; doubles to twelve digits, as merging may round otherwise. */
const plain = (_: string, value: unknown): unknown => {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "number" && !Number.isInteger(value)) return value.toPrecision(12);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort());
};

export const values = (...list: readonly unknown[]): Row[] => list.map((v) => ({ v }));
