import { userError } from "../../errors.js";
import { unrestorable } from "../../operators/aggregates/restore.js";
import type { QueryDefinition } from "../../plan/logical-plan.js";
import type { Row, Schema } from "../../plan/schema.js";
import { compileRowDecoder } from "../../sources/row-decoder.js";
import { UsageError } from "../command.js";
import { correctedRows, findOriginals, missedGroups } from "./correct-results.js";
import { lateRowsOf } from "./late-rows.js";
import { recomputedRows } from "./recompute.js";
import { replayedAggregate } from "./replayed-aggregate.js";
import type { Revisions } from "./revisions.js";

interface LateReplay {
  readonly late: AsyncIterable<Uint8Array>;
  readonly results: AsyncIterable<Uint8Array>;
  /** The raw events, where results do not tell what an aggregate was; empty: not given. */
  readonly inputs: readonly string[];
  readonly staticRows: (name: string) => readonly Row[];
  readonly revisions: Revisions;
}

export interface ReplaySummary {
  readonly lateRows: number;
  /** Windows with their keys that have missed rows, and those of them that had no result at all. */
  readonly windows: number;
  readonly withoutResult: number;
  /** The revision that was written, and its rows; null: all was corrected before. */
  readonly revision: number | null;
  readonly written: number;
}

/** Corrects results by the rows that were late for them; the same files give the same revisions, however often. */
export async function replayLateRows(definition: QueryDefinition, replay: LateReplay): Promise<ReplaySummary> {
  const aggregate = replayedAggregate(definition, replay.staticRows);
  const { node } = aggregate;
  const lost = unrestorable(node.aggregates);
  if (lost.length > 0 && replay.inputs.length === 0) {
    throw new UsageError(
      `The results do not tell what ${lost.join(" and ")} was made of: give the raw events, --input FILE…, or let the query ` +
        "write the parts, as sum() and count() beside avg().",
    );
  }
  const groups = await missedGroups(aggregate, lateRowsOf(node, replay.late));
  await findOriginals(aggregate, groups, resultRows(replay.results, node.schema));
  const rows: Row[] = [];
  const corrected =
    lost.length === 0
      ? correctedRows(aggregate, groups)
      : recomputedRows(definition, aggregate, groups, replay.inputs, replay.staticRows);
  for await (const row of corrected) rows.push(row);
  const fields = [...node.schema.fields, { name: "lateRows", type: "long" as const, nullable: false }];
  const written = await replay.revisions.write(rows, { fields });
  const all = [...groups.values()];
  return {
    lateRows: all.reduce((sum, group) => sum + group.rows.length, 0),
    windows: all.length,
    withoutResult: all.filter(({ original }) => original === null).length,
    revision: written?.revision ?? null,
    written: written?.rows ?? 0,
  };
}

async function* resultRows(lines: AsyncIterable<Uint8Array>, { fields }: Schema): AsyncGenerator<Row> {
  const decode = compileRowDecoder({
    fields: fields.map((field) => ({ ...field, nullable: field.type !== "window" })),
  });
  for await (const line of lines) {
    const decoded = decode(line);
    if ("malformed" in decoded) {
      throw userError(
        "result-row-unreadable",
        `A line of --results is no result of this query: ${decoded.malformed}, ${decoded.detail}.`,
        "Name the results of this very query: result.jsonl, or its folder.",
      );
    }
    yield decoded.row;
  }
}
