import { scanOptions, scanWayOf } from "../scan-way.js";
import { type Choices, seededChoices } from "../simulation/choices.js";
import { bruteForce, isMarker } from "./brute-force.js";
import { asSeen, closingMarkers, drawDeliveries, type Invocation, oneBatch } from "./deliveries.js";
import { drawInput } from "./input.js";
import { queryOf } from "./query-of.js";
import { overPartitions, runPartitioned } from "./run-partitioned.js";
import { type Outcome, runQuery } from "./run-query.js";
import { drawShape, type Shape } from "./shape.js";

export interface Failure {
  readonly what: string;
  readonly shape: Shape;
  readonly expected: readonly string[];
  readonly found: readonly string[];
}

/** Everything that a seed decides: a query, its input, two cuts of it. Null: all answers agree. */
export async function runSeed(seed: number): Promise<Failure | null> {
  const choices: Choices = seededChoices(seed);
  const shape = drawShape(choices);
  const input = drawInput(choices, shape);
  const definition = queryOf(shape);
  const drain = shape.closing === "drain";
  const scan = scanOptions(scanWayOf(seed), seed);
  const markers = drain ? [] : closingMarkers(shape, input);
  const played = async (cut: readonly Invocation[], what: string): Promise<Failure | null> => {
    const invocations = [...cut, ...markers];
    const outcome = await runQuery(definition, invocations, { ringSize: shape.ringSize, drain, ...scan });
    const answer = bruteForce(shape, asSeen(shape, invocations));
    const expected = [...answer.rows.map(lineOf).sort(), `late rows: ${answer.late}`];
    const found = [...finalRows(shape, outcome).sort(), `late rows: ${outcome.late}`];
    if (!same(expected, found)) return { what, shape, expected, found };
    const partitions = 2 + (seed % 7);
    const cutQuery = overPartitions(definition, partitions);
    if (cutQuery === null) return null;
    const union = await runPartitioned(cutQuery, invocations, { ringSize: shape.ringSize, drain, ...scan });
    const ofAll = [...finalRows(shape, union).sort(), `late rows: ${union.late}`];
    const over = `${what}, over ${partitions} state partitions`;
    return same(expected, ofAll) ? null : { what: over, shape, expected, found: ofAll };
  };
  const first = await played(drawDeliveries(choices, input), "any deliveries");
  if (first !== null || !shape.onTime) return first;
  // No row is late, however the input is cut: the brute force over one batch, which knows no watermark, is every cut's answer.
  const whole = oneBatch(input);
  const cut = [...drawDeliveries(choices, input), ...markers];
  const outcome = await runQuery(definition, cut, { ringSize: shape.ringSize, drain, ...scan });
  const expected = bruteForce(shape, asSeen(shape, whole)).rows.map(lineOf).sort();
  const found = finalRows(shape, outcome).sort();
  if (!same(expected, found) || outcome.late > 0)
    return { what: "another cut against one batch", shape, expected, found };
  return played(whole, "one batch");
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, at) => line === b[at]);

const lineOf = (row: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))));

/** Without markers; in update mode the last row of each group. */
function finalRows({ outputMode }: Shape, { rows }: Outcome): string[] {
  const kept = rows.filter((row) => !isMarker(row));
  if (outputMode !== "update") return kept.map(lineOf);
  const last = new Map<string, string>();
  for (const row of kept) {
    const { n, total, top, ...group } = row;
    last.set(lineOf(group), lineOf({ ...group, n, total, top }));
  }
  return [...last.values()];
}
