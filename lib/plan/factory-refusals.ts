import type { Refusal } from "./refusals.js";

/** What the node factories and the interval parser refuse as they are called: the message is made there, this is the index of codes. */
export const FACTORY_REFUSALS = Object.freeze({
  "invalid-interval": {
    what: "an interval that does not parse (SEMANTICS A5; abbreviations and ISO 8601 are accepted beyond Spark)",
    spark: [
      "INVALID_INTERVAL_FORMAT.INPUT_IS_EMPTY",
      "INVALID_INTERVAL_FORMAT.INVALID_UNIT",
      "INVALID_INTERVAL_FORMAT.INVALID_VALUE",
      "INVALID_INTERVAL_FORMAT.MISSING_UNIT",
      "INVALID_INTERVAL_FORMAT.UNRECOGNIZED_NUMBER",
    ],
    reason: "What the text means is unknown.",
    remedy: "Write a number and a unit.",
  },
  "negative-delay": {
    what: "a delay threshold below zero",
    spark: [],
    reason: "The watermark would run ahead of the rows.",
    remedy: "Give a delay of zero or more.",
  },
  "interval-in-months": {
    what: "months in a window or a join bound",
    spark: ["_LEGACY_ERROR_TEMP_3231"],
    reason: "Months differ in length.",
    remedy: "Use weeks, days or less.",
  },
  "window-out-of-range": {
    what: "a window size or slide of zero or less, a slide above the size, an offset not below the slide",
    spark: ["DATATYPE_MISMATCH.VALUE_OUT_OF_RANGE", "DATATYPE_MISMATCH.PARAMETER_CONSTRAINT_VIOLATION"],
    reason: "Rows would be in no window, or in infinitely many.",
    remedy: "Keep 0 < slide <= size and |offset| < slide.",
  },
  "multiple-windows": {
    what: "several windows in one grouping or projection",
    spark: ["_LEGACY_ERROR_TEMP_1039"],
    reason: "They would multiply the rows.",
    remedy: "Keep one window.",
  },
  "event-time-type": {
    what: "withWatermark() or window() on a column that is no timestamp",
    spark: ["EVENT_TIME_IS_NOT_ON_TIMESTAMP_TYPE", "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE"],
    reason: "Event time is an instant.",
    remedy: "Declare timestamp(), or convert the column first.",
  },
  "type-mismatch": {
    what: "a function of values that it does not take",
    spark: ["DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE", "DATATYPE_MISMATCH.BINARY_OP_DIFF_TYPES"],
    reason: "The expression has no type.",
    remedy: "Change the arguments, or cast() them.",
  },
  "not-a-condition": {
    what: "a filter or join condition that is not boolean",
    spark: ["DATATYPE_MISMATCH.FILTER_NOT_BOOLEAN", "JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE"],
    reason: "It has no truth value.",
    remedy: "Compare the value with something.",
  },
  "unknown-column": {
    what: "a column that is not there",
    spark: ["UNRESOLVED_COLUMN.WITH_SUGGESTION", "FIELD_NOT_FOUND"],
    reason: "The name stands in no schema at that place.",
    remedy: "Use one of the columns that the message lists.",
  },
  "ambiguous-column": {
    what: "a column of a join condition without its side",
    spark: ["AMBIGUOUS_REFERENCE"],
    reason: "Both sides may have it.",
    remedy: "Write (left, right) => left.a.eq(right.b).",
  },
  "duplicate-column": {
    what: "two columns of one name, after a join too",
    spark: [],
    reason: "A row is an object keyed by names; Spark keeps both and fails at the first use.",
    remedy: "Rename one of them.",
  },
  "column-name": {
    what: "an empty column name, or `__proto__`, `constructor`, `prototype`",
    spark: [],
    reason: "A row with it would not be a plain object.",
    remedy: "Rename the column.",
  },
  "union-columns-differ": {
    what: "a union of inputs with other columns or types (matched by name)",
    spark: ["NUM_COLUMNS_MISMATCH", "INCOMPATIBLE_COLUMN_TYPE"],
    reason: "The rows would not be of one schema.",
    remedy: "select(), rename() or cast() first.",
  },
  "join-condition-missing": {
    what: "a join without `on`, `using` and `within`",
    spark: [],
    reason: "Every row would meet every other.",
    remedy: "Give it a condition.",
  },
  "limit-negative": {
    what: "a limit that is no whole number of zero or more",
    spark: ["INVALID_LIMIT_LIKE_EXPRESSION.IS_NEGATIVE"],
    reason: "It has no meaning.",
    remedy: "Give a whole number.",
  },
  "operator-id": {
    what: "an operator id of other characters than letters, digits, '.', '_' and '-'",
    spark: [],
    reason: "The id is part of stored keys and of metric names.",
    remedy: "Choose a plain id.",
  },
  "query-name": {
    what: "a query name that cannot be part of keys",
    spark: [],
    reason: "It stands in object keys, item keys and metric dimensions.",
    remedy: "Use letters, digits, '.', '_' and '-'.",
  },
  "state-key-schema-changed": {
    what: "a restart with other keys of a stateful operator, or without it (when the stored state is opened)",
    spark: ["STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE"],
    reason: "The stored rows belong to keys that are no longer asked for.",
    remedy: "Take the change back, rename the query, or start a new incarnation.",
  },
  "state-value-schema-changed": {
    what: "a restart with other aggregates, or other columns of a joined side (when the stored state is opened)",
    spark: ["STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE"],
    reason: "The stored rows hold something else.",
    remedy: "Take the change back, rename the query, or start a new incarnation.",
  },
  "output-mode-changed": {
    what: "a restart in another output mode (when the stored state is opened)",
    spark: [],
    reason: "What was emitted and what is kept depend on the mode.",
    remedy: "Take the change back, rename the query, or start a new incarnation.",
  },
  "state-format-unknown": {
    what: "state stored by a newer version (when the stored state is opened)",
    spark: [],
    reason: "This version cannot read it.",
    remedy: "Deploy a version at least as new.",
  },
} as const satisfies Readonly<Record<string, Refusal>>);
