import type { LogEntry } from "../../lib/checkpoint/entry-codec.js";
import type { QueryProgress } from "../../lib/runtime/progress.js";
import type { Answer } from "./brute-force.js";
import type { Published } from "./published.js";

export interface SoakFacts {
  readonly sent: number;
  readonly entries: readonly LogEntry[];
  readonly expected: Answer;
  readonly published: Published;
  readonly disorder: { readonly kills: number; readonly freezes: number };
  readonly processes: number;
  readonly faults: number;
  readonly memory: { readonly quarterMb: readonly number[]; readonly flat: boolean };
}

const sameSet = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((value) => b.has(value));

const sameMap = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);

const readingsOf = (result: ReadonlyMap<string, string>): number =>
  [...result.values()].reduce((sum, value) => sum + Number(value.split(" ")[0]), 0);

/** The accounting table, and what does not agree. */
export function report(facts: SoakFacts): { readonly table: string; readonly failures: readonly string[] } {
  const { sent, entries, expected, published, memory } = facts;
  const progress = entries.map((entry) => entry.progress as QueryProgress);
  const total = (read: (record: QueryProgress) => number) => progress.reduce((sum, record) => sum + read(record), 0);
  const input = total((record) => record.numInputRows);
  const late = total((record) => record.numLateInputRows);
  const malformed = total((record) => record.malformedRows);
  const readings = readingsOf(published.result);

  const rows: readonly (readonly [string, string | number, string | number, string | number])[] = [
    ["", "brute force", "progress", "S3"],
    ["records", sent, input + malformed, readings + published.late.size + published.malformed.size],
    ["counted in windows", readingsOf(expected.result), input - late, readings],
    ["late rows", expected.late.size, late, published.late.size],
    ["malformed records", expected.malformed.size, malformed, published.malformed.size],
    ["groups", expected.result.size, "", published.result.size],
  ];
  const failures = [
    ...rows.slice(1, 5).flatMap(([name, a, b, c]) => (a === b && b === c ? [] : [`${name}: ${a}, ${b}, ${c}`])),
    ...(sameMap(expected.result, published.result) ? [] : ["results differ from brute force over the committed order"]),
    ...(sameSet(expected.late, published.late) ? [] : ["late rows differ"]),
    ...(sameSet(expected.malformed, published.malformed) ? [] : ["malformed records differ"]),
    ...(expected.consumed === sent ? [] : [`${sent - expected.consumed} records were never consumed`]),
    ...published.twice.map((what) => `${what} was published twice`),
    ...(memory.flat ? [] : ["memory is not flat"]),
  ];
  const lines = rows.map(
    ([name, ...cells]) => name.padEnd(20) + cells.map((cell) => String(cell).padStart(14)).join(""),
  );
  const told = [
    `${entries.length} batches, ${published.objects} output objects; ${total((r) => r.skippedRecords)} records delivered again and skipped`,
    `${facts.disorder.kills} environments killed, ${facts.disorder.freezes} frozen, ${facts.processes} processes; ${facts.faults} calls failed or delayed; ${total((r) => r.conflicts)} lost races`,
    `memory of an environment by quarters: ${memory.quarterMb.join(", ")} MB`,
  ];
  return { table: [...lines, ...told].join("\n"), failures };
}
