import { rowBatch } from "../../columns/column-batch.js";
import { userError } from "../../errors.js";
import { restoreAccumulator } from "../../operators/aggregates/restore.js";
import type { Row } from "../../plan/schema.js";
import type { StoredLateRow } from "./late-rows.js";
import type { ReplayedAggregate } from "./replayed-aggregate.js";

/** A group with the rows that it missed, in order of arrival. */
interface MissedGroup {
  readonly rows: Row[];
  original: Row | null;
}

export type MissedGroups = ReadonlyMap<string, MissedGroup>;

/** By group, in order of the first late row. */
export async function missedGroups(
  { keys, groupOf }: ReplayedAggregate,
  late: AsyncIterable<StoredLateRow>,
): Promise<MissedGroups> {
  const groups = new Map<string, MissedGroup>();
  for await (const { row, missed } of late) {
    const key = keys.encode(row);
    for (const window of missed) {
      const name = groupOf(window, key);
      const group = groups.get(name);
      if (group === undefined) groups.set(name, { rows: [row], original: null });
      else group.rows.push(row);
    }
  }
  return groups;
}

/** Finds the result of each group. @throws `late-replay-duplicate` where a group has two: nothing says which of them counts */
export async function findOriginals(
  aggregate: ReplayedAggregate,
  groups: MissedGroups,
  results: AsyncIterable<Row>,
): Promise<void> {
  for await (const row of results) {
    const group = groups.get(aggregate.groupOfResult(row));
    if (group === undefined) continue;
    if (group.original !== null) {
      throw userError(
        "late-replay-duplicate",
        "The results hold a window twice: they are of more than one run.",
        "Name the results of one run: the folder of one incarnation.",
      );
    }
    group.original = row;
  }
}

/**
 * What each group would have been had nothing been late. The late rows of a window came after all that it counts, so adding them to
 * what the result says gives what one run without late rows gives, to the last bit.
 */
export function* correctedRows(
  { node, aggregates, types, rowOf }: ReplayedAggregate,
  groups: MissedGroups,
): Generator<Row> {
  for (const [name, { rows, original }] of groups) {
    const before = original === null ? null : restoreAccumulator(node.aggregates, types, original);
    const accumulator = before === null ? aggregates.create() : aggregates.open(before);
    const add = aggregates.over(rowBatch(rows));
    for (let at = 0; at < rows.length; at++) add(accumulator, at);
    yield { ...aggregates.finish(accumulator, rowOf(name)), lateRows: rows.length };
  }
}
