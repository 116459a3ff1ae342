/** What a query may do but will regret: shown by explain(), at build, at deploy and in the log. */
export interface PlanWarning {
  readonly code: WarningCode;
  readonly message: string;
  readonly remedy: string;
}

const WARNINGS = Object.freeze({
  "join-unbounded": {
    message: "The join keeps every row of {0} for ever: no watermark and time bound ever evicts it.",
    remedy: "Call withWatermark() on both sides and bound the times with `within`.",
  },
  "join-side-unpadded": {
    message: "Unmatched rows of the {0} side of the full outer join are never emitted: nothing bounds their time.",
    remedy: "Give `within` both a lower and an upper bound.",
  },
  "complete-with-watermark": {
    message: "In complete mode the watermark evicts nothing: all groups are kept and emitted in every batch.",
    remedy: "Use append or update mode, or drop the watermark.",
  },
  "watermark-unused": {
    message: "No stateful operator uses the watermark on '{0}'.",
    remedy: "Group, deduplicate or join by that column, or remove withWatermark().",
  },
  "aggregate-unbounded": {
    message: "The groups of {0} are kept for ever: no watermark passes them.",
    remedy: "Call withWatermark() and group by window() of that column, or keep the number of groups small.",
  },
  "dedup-unbounded": {
    message: "The keys of {0} are kept for ever: the event time is not among them.",
    remedy: "Add the event-time column to the keys, or use dropDuplicatesWithinWatermark().",
  },
  "distinct-state": {
    message: "countDistinct '{0}' keeps every distinct value of a group in its state.",
    remedy: "Use approxCountDistinct() where about 1 % of error does no harm.",
  },
  "session-gap-ignored": {
    message: "The session gap of {0} never opens a session: every row is ignored.",
    remedy: "Give a gap above zero, as in '5 minutes'.",
  },
  "kafka-partitions-unknown": {
    message:
      "Rows of a partition of '{0}' that is read more slowly than another may be late: the watermark is the highest of all that was read.",
    remedy: 'Give kafka({ …, partitions: 12 }), so that each partition is waited for, or say across: "max".',
  },
  "complete-without-watermark": {
    message: "In complete mode {0} keeps every group for ever, and every micro-batch emits all of them.",
    remedy: "Use update mode with a watermark, or keep the number of groups small.",
  },
  "having-stale-rows": {
    message: "A row of {0} that the filter lets through once stays in a keyed table when its group no longer passes.",
    remedy: "Keep the condition as a column and filter where the table is read, or use append mode.",
  },
  "policy-max": {
    message: "The watermark is the highest of {0} inputs: rows of the slower ones are late.",
    remedy: "Use watermarkPolicy min, the default, unless that is meant.",
  },
  "timers-without-watermark": {
    message: "Event-time timers of {0} never fire: its input has no watermark.",
    remedy: "Call withWatermark() before groupBy().",
  },
} as const);

type WarningCode = keyof typeof WARNINGS;

export const planWarning = (code: WarningCode, subject: string): PlanWarning =>
  Object.freeze({
    code,
    message: WARNINGS[code].message.replace("{0}", subject),
    remedy: WARNINGS[code].remedy,
  });
