import { userError } from "../errors.js";
import { assignOperatorIds } from "./assign-operator-ids.js";
import { checkSupported } from "./check-supported.js";
import type {
  Descriptor,
  LateRule,
  LogicalNode,
  OutputMode,
  QueryDefinition,
  QueryOptions,
  WatermarkPolicy,
} from "./logical-plan.js";

export interface QueryInput {
  readonly queryName: string;
  readonly outputMode: OutputMode;
  readonly plan: LogicalNode;
  readonly sink: Descriptor;
  readonly functions?: Readonly<Record<string, unknown>>;
  readonly watermarkPolicy?: WatermarkPolicy;
  readonly lateRule?: LateRule;
  readonly options?: Partial<QueryOptions>;
}

export const DEFAULT_OPTIONS: QueryOptions = Object.freeze({
  onError: "fail",
  noDataMicroBatches: true,
  statePartitions: 1,
});

/** It stands in object keys, item keys and metric dimensions. */
const QUERY_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

/**
 * A finished plan becomes a query: operator ids are settled, everything unsupported is refused, the whole is frozen.
 * @throws `query-name`, or any refusal of docs/refusals.md
 */
export function defineQuery(input: QueryInput): QueryDefinition {
  if (!QUERY_NAME.test(input.queryName)) {
    throw userError(
      "query-name",
      `'${input.queryName}' cannot be a query's name.`,
      "Begin with a letter or digit, go on with letters, digits, '.', '_' or '-', 128 characters at most.",
    );
  }
  const plan = assignOperatorIds(input.plan);
  const options = Object.freeze({ ...DEFAULT_OPTIONS, ...input.options });
  checkSupported({
    plan,
    outputMode: input.outputMode,
    sink: input.sink,
    allowMultipleStatefulOperators: options.allowMultipleStatefulOperators ?? true,
  });
  return Object.freeze({
    queryName: input.queryName,
    outputMode: input.outputMode,
    watermarkPolicy: input.watermarkPolicy ?? "min",
    lateRule: input.lateRule ?? "state",
    plan,
    sink: Object.freeze({ ...input.sink }),
    options,
    functions: Object.freeze({ ...input.functions }),
  });
}
