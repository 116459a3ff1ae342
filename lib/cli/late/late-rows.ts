import { userError } from "../../errors.js";
import type { AggregateNode } from "../../plan/logical-plan.js";
import type { Row, Schema } from "../../plan/schema.js";
import { compileRowDecoder } from "../../sources/row-decoder.js";
import type { Window } from "../../time/window.js";

/** A row of the late output: the row as the aggregation would have got it, and what it missed. */
export interface StoredLateRow {
  readonly row: Row;
  readonly missed: readonly Window[];
}

/** Reads the late output of an aggregation; a record that stands there twice, as after a reset of the query, counts once. */
export async function* lateRowsOf(
  { operatorId, input }: AggregateNode,
  lines: AsyncIterable<Uint8Array>,
): AsyncGenerator<StoredLateRow> {
  const decode = compileRowDecoder(lateSchema(input.schema));
  const seen = new Set<string>();
  for await (const line of lines) {
    const decoded = decode(line);
    if ("malformed" in decoded || decoded.row["operator"] === null) throw notLate(decoded);
    const { row, source, operator, missedWindows } = decoded.row;
    if (operator !== operatorId) throw notLate({ malformed: "operator", detail: String(operator) });
    const place = JSON.stringify(source);
    if (source !== null && seen.has(place)) continue;
    seen.add(place);
    yield { row: row as Row, missed: missedWindows as readonly Window[] };
  }
}

const lateSchema = (input: Schema): Schema => ({
  fields: [
    { name: "row", type: { struct: input.fields.map((field) => ({ ...field, nullable: true })) }, nullable: true },
    { name: "source", type: "json", nullable: true },
    { name: "operator", type: "string", nullable: true },
    { name: "missedWindows", type: { array: "window" }, nullable: true },
  ],
});

const notLate = (found: object) =>
  userError(
    "late-row-unreadable",
    `A line of --late is no late row of this query: ${JSON.stringify(found).slice(0, 200)}.`,
    "Name the late output of this very query: late.jsonl, or the folder QUERY.late.",
  );
