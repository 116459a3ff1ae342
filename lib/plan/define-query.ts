import { userError } from "../errors.js";
import { assignOperatorIds } from "./assign-operator-ids.js";
import { checkSupported } from "./check-supported.js";
import { sinksOf } from "./connectors/catalogue.js";
import { checkConnector } from "./connectors/check-connector.js";
import type { SinkConnector } from "./connectors/sink-connector.js";
import type {
  LateRule,
  LogicalNode,
  OutputMode,
  QueryDefinition,
  QueryOptions,
  WatermarkPolicy,
} from "./logical-plan.js";

interface QueryInput {
  readonly queryName: string;
  readonly outputMode: OutputMode;
  readonly plan: LogicalNode;
  readonly sink: SinkConnector;
  readonly sinks?: Readonly<Record<string, SinkConnector>>;
  readonly functions?: Readonly<Record<string, unknown>>;
  readonly watermarkPolicy?: WatermarkPolicy;
  readonly lateRule?: LateRule;
  readonly options?: Partial<QueryOptions>;
}

const DEFAULT_OPTIONS: QueryOptions = Object.freeze({
  onError: "fail",
  noDataMicroBatches: true,
  statePartitions: 1,
});

const OUTPUT_MODES: readonly OutputMode[] = ["append", "update", "complete"];

const POLICIES: readonly WatermarkPolicy[] = ["min", "max"];
const LATE_RULES: readonly LateRule[] = ["state", "event-time"];

/** It stands in object keys, item keys, policies and metric dimensions: nothing in it separates or matches anything there. */
const QUERY_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
/** The folder of all checkpoints: a query of this name might write its results into those of others. */
const RESERVED_NAME = "checkpoints";

/**
 * A finished plan becomes a query: operator ids are settled, everything unsupported is refused, the whole is frozen.
 * @throws `query-name`, `option-invalid`, `connector-unknown`, `option-unknown`, `option-missing`, or any refusal of docs/refusals.md
 */
export function defineQuery(input: QueryInput): QueryDefinition {
  if (typeof input.queryName !== "string" || !QUERY_NAME.test(input.queryName) || input.queryName === RESERVED_NAME) {
    throw userError(
      "query-name",
      input.queryName === undefined
        ? "The query has no queryName, which names its checkpoint and its output."
        : `'${input.queryName}' cannot be a query's name.`,
      "Begin with a letter or digit, go on with letters, digits, '.', '_' or '-', 128 characters at most; 'checkpoints' is taken.",
    );
  }
  const plan = assignOperatorIds(input.plan);
  const options = Object.freeze({ ...DEFAULT_OPTIONS, ...input.options });
  checkOptions(options);
  if (!OUTPUT_MODES.includes(input.outputMode))
    throw invalid("outputMode", input.outputMode, 'Write "append", "update" or "complete".');
  for (const sink of sinksOf(input)) checkConnector("sink", sink);
  if (!POLICIES.includes(input.watermarkPolicy ?? "min"))
    throw invalid("watermarkPolicy", input.watermarkPolicy, 'Write "min" or "max".');
  if (!LATE_RULES.includes(input.lateRule ?? "state"))
    throw invalid("lateRule", input.lateRule, 'Write "state" or "event-time".');
  checkSupported({
    plan,
    outputMode: input.outputMode,
    sinks: sinksOf(input),
    allowMultipleStatefulOperators: options.allowMultipleStatefulOperators ?? true,
    statePartitions: options.statePartitions,
    ...(options.partitionBy === undefined ? {} : { partitionBy: options.partitionBy }),
  });
  return Object.freeze({
    queryName: input.queryName,
    outputMode: input.outputMode,
    watermarkPolicy: input.watermarkPolicy ?? "min",
    lateRule: input.lateRule ?? "state",
    plan,
    sink: Object.freeze({ ...input.sink }),
    ...(input.sinks === undefined ? {} : { sinks: Object.freeze({ ...input.sinks }) }),
    options,
    functions: Object.freeze({ ...input.functions }),
  });
}

const MAX_PARTITIONS = 1_024;
const MAX_INLINE_BYTES = 256_000;

function checkOptions(options: QueryOptions): void {
  const { onError, statePartitions, partitionBy, maxStateBytes, inlineLimitBytes } = options;
  if (onError !== "fail" && onError !== "malformed") throw invalid("onError", onError, 'Write "fail" or "malformed".');
  if (!Number.isInteger(statePartitions) || statePartitions < 1 || statePartitions > MAX_PARTITIONS)
    throw invalid("statePartitions", statePartitions, "Give a whole number from 1 to 1024.");
  if (partitionBy !== undefined && statePartitions === 1)
    throw invalid("partitionBy", partitionBy, "It needs statePartitions of 2 or more.");
  if (partitionBy !== undefined && !(Array.isArray(partitionBy) && partitionBy.every(isText)))
    throw invalid("partitionBy", partitionBy, "Give a list of column names.");
  for (const [name, bytes] of Object.entries({ maxStateBytes, inlineLimitBytes })) {
    if (bytes !== undefined && !(Number.isSafeInteger(bytes) && bytes > 0))
      throw invalid(name, bytes, "Give a whole number of bytes above zero.");
  }
  // An entry is one item, and DynamoDB refuses an item above 400 KB for good.
  if (inlineLimitBytes !== undefined && inlineLimitBytes > MAX_INLINE_BYTES)
    throw invalid("inlineLimitBytes", inlineLimitBytes, `Give at most ${MAX_INLINE_BYTES}: an item holds 400 KB.`);
}

const isText = (value: unknown): boolean => typeof value === "string";

const invalid = (name: string, value: unknown, remedy: string) =>
  userError("option-invalid", `The option ${name} cannot be ${JSON.stringify(value)}.`, remedy);
