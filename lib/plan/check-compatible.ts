import { userError } from "../errors.js";
import type { Fingerprint, OperatorFingerprint, SourceFingerprint } from "./fingerprint.js";

/**
 * Whether a changed query may go on with the stored state (SEMANTICS I5); new operators start empty.
 * @throws `state-key-schema-changed`, `state-value-schema-changed`, `output-mode-changed`, `source-changed`, `state-partitions-changed`,
 * `state-format-unknown`
 */
export function checkCompatible(stored: Fingerprint, current: Fingerprint): void {
  if (stored.version > 2) {
    throw userError(
      "state-format-unknown",
      `The stored fingerprint has version ${String(stored.version)}.`,
      "Deploy a version of Tidemark that is at least as new as the one that wrote it.",
    );
  }
  if (stored.outputMode !== current.outputMode) {
    throw changed("output-mode-changed", "The output mode changed", stored.outputMode, current.outputMode);
  }
  if (spreadText(stored) !== spreadText(current))
    throw changed("state-partitions-changed", "How rows are spread changed", spreadText(stored), spreadText(current));
  checkSources(stored.sources ?? [], current.sources ?? []);
  const now = new Map(current.operators.map((operator) => [operator.id, operator]));
  for (const old of stored.operators) {
    const same = now.get(old.id);
    if (same === undefined) throw gone(old, current);
    if (old.kind !== same.kind || !equal(old.keys, same.keys)) {
      throw changed("state-key-schema-changed", `The keys of ${old.id} changed`, keysText(old), keysText(same));
    }
    if (old.from !== undefined && !old.from.every((name) => same.from?.includes(name) === true)) {
      const what = `What feeds ${old.id} changed`;
      throw changed("state-key-schema-changed", what, old.from.join(", "), same.from?.join(", ") ?? "");
    }
    if (old.keyedBy !== undefined && !equal(old.keyedBy, same.keyedBy ?? [])) {
      const what = `The keys of ${old.id} are computed otherwise`;
      throw changed("state-key-schema-changed", what, old.keyedBy.join("; "), same.keyedBy?.join("; ") ?? "");
    }
    if (!equal(old.value, same.value)) {
      throw changed(
        "state-value-schema-changed",
        `The state rows of ${old.id} changed`,
        old.value.join("; "),
        same.value.join("; "),
      );
    }
    if (old.accumulators !== undefined && !equal(old.accumulators, same.accumulators ?? [])) {
      const what = `The state rows of ${old.id} changed`;
      throw changed(
        "state-value-schema-changed",
        what,
        old.accumulators.join("; "),
        same.accumulators?.join("; ") ?? "",
      );
    }
    // Those asked for anew start empty.
    const lost = old.variables?.filter((variable) => same.variables?.includes(variable) === false) ?? [];
    if (lost.length > 0) {
      const what = `The state variables of ${old.id} changed`;
      throw changed("state-value-schema-changed", what, lost.join("; "), same.variables!.join("; "));
    }
  }
}

const spreadText = ({ partitioning }: Fingerprint): string =>
  partitioning === undefined
    ? "one partition"
    : [
        `${partitioning.count} partitions by ${partitioning.columns.join(", ")}, seed ${partitioning.seed}`,
        ...(partitioning.readings ?? []),
      ].join("; ");

/** Offsets belong to a source's name and to what it names: rows of another stream under it would be skipped, or counted with the old ones. */
function checkSources(stored: readonly SourceFingerprint[], current: readonly SourceFingerprint[]): void {
  const text = ({ name, kind, place }: SourceFingerprint) =>
    `${name} (${kind}${place === undefined ? "" : ` ${place}`})`;
  const now = current.map(text);
  const lost = stored.map(text).filter((source) => !now.includes(source));
  if (lost.length === 0) return;
  throw userError(
    "source-changed",
    `The checkpoint is of a query that reads ${lost.join(", ")}; this one reads ${now.join(", ")}.`,
    "Another query needs another queryName. A source may be added under a name of its own, none taken away or exchanged.",
  );
}

/** Its keys changed, or it was taken out: Spark, which knows operators by position, says "key schema" either way. */
const gone = (old: OperatorFingerprint, current: Fingerprint) =>
  changed(
    "state-key-schema-changed",
    `The operator ${old.id} is no longer in the query`,
    keysText(old),
    current.operators.map((operator) => `${operator.id} ${keysText(operator)}`).join("; ") || "no stateful operator",
  );

const keysText = ({ kind, keys }: OperatorFingerprint): string => `${kind}(${keys.join(", ")})`;

const equal = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, i) => text === b[i]);

const changed = (code: string, what: string, old: string, current: string) =>
  userError(
    code,
    `${what}: stored ${old || "nothing"}, now ${current || "nothing"}.`,
    "Take the change back, or give the query a new name, or start a new incarnation, which begins with empty state.",
  );
