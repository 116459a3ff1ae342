import type { JoinCondition, Side } from "../plan/join-condition.js";
import type { JoinType } from "../plan/logical-plan.js";
import type { Row, Schema } from "../plan/schema.js";
import { expandRows } from "./batch-rows.js";
import { compileCondition } from "./evaluate/evaluate.js";
import { joinOutput } from "./join-output.js";
import { joinSide } from "./join-side.js";
import { NO_BATCHES, type Operator } from "./operator.js";

/** Rows of the stream that the condition's implied filters drop do not come here; the table's own filters are applied here. */
export interface StaticJoinSpec {
  /** The stream's side; on the right an inner join alone. */
  readonly stream: Side;
  readonly type: Exclude<JoinType, "rightOuter" | "fullOuter">;
  readonly condition: JoinCondition;
  readonly left: Schema;
  readonly right: Schema;
  readonly using?: readonly string[] | undefined;
  /** Of the table; asked once, at the first chunk. */
  readonly rows: () => readonly Row[];
}

const NOTHING: Row = Object.freeze({});
const NO_PARTNERS: readonly Row[] = Object.freeze([]);

/** A stream with a fixed table: stateless, no row is late, partners in the table's order (SEMANTICS F13). */
export function staticJoinOperator(spec: StaticJoinSpec): Operator {
  const { condition, type, stream } = spec;
  const schemas = { left: spec.left, right: spec.right };
  const side = joinSide(stream, condition, null, schemas);
  const output = joinOutput(type, schemas, spec.using);
  const residual = condition.residual.map((expression) => compileCondition(expression, schemas));
  let table: ReadonlyMap<string, readonly Row[]> | undefined;

  const oriented = (row: Row, partner: Row): readonly [Row, Row] =>
    stream === "left" ? [row, partner] : [partner, row];

  const partnersOf = (row: Row): readonly Row[] => {
    if (!side.mayMatch(row)) return NO_PARTNERS;
    const probe = side.probe(row);
    const candidates = (probe.comparable && table?.get(probe.prefix)) || NO_PARTNERS;
    return residual.length === 0
      ? candidates
      : candidates.filter((partner) => residual.every((holds) => holds(...oriented(row, partner))));
  };

  const outputOf = (row: Row): readonly Row[] => {
    const partners = partnersOf(row);
    switch (type) {
      case "leftSemi":
        return partners.length > 0 ? [row] : NO_PARTNERS;
      case "leftAnti":
        return partners.length > 0 ? NO_PARTNERS : [row];
      case "leftOuter":
        if (partners.length === 0) return [output.pad("left", row)];
    }
    return partners.map((partner) => output.combine(...oriented(row, partner)));
  };

  return {
    beginPass() {},
    process(batch) {
      table ??= indexTable(spec);
      return expandRows(batch, (row) => outputOf(batch.row(row)));
    },
    endPass: () => NO_BATCHES,
  };
}

function indexTable({ stream, condition, left, right, rows }: StaticJoinSpec): ReadonlyMap<string, readonly Row[]> {
  const schemas = { left, right };
  const tableSide: Side = stream === "left" ? "right" : "left";
  const side = joinSide(tableSide, condition, null, schemas);
  const filters = condition.filters[tableSide].map((filter) => compileCondition(filter, schemas));
  const index = new Map<string, Row[]>();
  for (const row of rows()) {
    const { prefix, comparable } = side.probe(row);
    if (!comparable || filters.some((holds) => !(stream === "left" ? holds(NOTHING, row) : holds(row, NOTHING))))
      continue;
    const bucket = index.get(prefix);
    if (bucket === undefined) index.set(prefix, [row]);
    else bucket.push(row);
  }
  return index;
}
