import { userError } from "../errors.js";

/** Names of the function's environment variables: infra sets them, the handler reads them. */
export const ENVIRONMENT = Object.freeze({
  /** DynamoDB table of the checkpoint. */
  table: "TIDEMARK_TABLE",
  /** S3 bucket of checkpoint objects, and of results and side outputs where the sink names no other. */
  bucket: "TIDEMARK_BUCKET",
  /** Overrides the published function version as the writer's generation (protocol.md rule 13). */
  generation: "TIDEMARK_GENERATION",
  /** State bytes at which a batch fails; 40 % of the function's memory by default. */
  maxStateBytes: "TIDEMARK_MAX_STATE_BYTES",
  /** Milliseconds of an invocation kept for endPass, stage, commit and publish; a quarter of it, at most 30 s, by default. */
  timeReserve: "TIDEMARK_TIME_RESERVE_MS",
  /** `true`: errors are logged with messages that may quote payloads, such as those of user functions. */
  logMessages: "TIDEMARK_LOG_ERROR_MESSAGES",
  /** The stream between the stages of a query with several state partitions. */
  shuffleStream: "TIDEMARK_SHUFFLE_STREAM",
  /** JSON: the ARNs of adopted Kinesis streams by source name; one of another account is known by its ARN alone. */
  streamArns: "TIDEMARK_STREAM_ARNS",
  /** `true`: the Kafka mapping has ReportBatchItemFailures, so that the answer says from where each partition is sent again. */
  kafkaPartialBatches: "TIDEMARK_KAFKA_PARTIAL_BATCHES",
  /** Of the sweeper: the query whose checkpoint objects it sweeps. */
  sweptQuery: "TIDEMARK_SWEPT_QUERY",
  /** Of the heartbeat: names of streams, separated by commas. */
  heartbeatStreams: "TIDEMARK_HEARTBEAT_STREAMS",
});

export interface Environment {
  readonly table: string;
  readonly bucket: string;
  readonly generation: number;
  readonly maxStateBytes: number | null;
  readonly timeReserveMs: number | null;
  /** Null: the query has one state partition. */
  readonly shuffleStream: string | null;
  readonly streamArns: Readonly<Record<string, string>>;
  readonly kafkaPartialBatches: boolean;
  /** Some endpoint is not AWS itself: LocalStack, a compatible server, the embedded stack. */
  readonly ownEndpoints: boolean;
  /** Off by powertools' own variable, where nobody collects log lines as metrics. */
  readonly metrics: boolean;
}

/** Read by the AWS SDK itself. */
const ENDPOINTS = ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL_KINESIS", "AWS_ENDPOINT_URL_S3"];

const STATE_SHARE_OF_MEMORY = 0.4;

/** @throws `environment-incomplete`, `environment-not-a-number` */
export function readEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const memoryMb = numberOf(variables, "AWS_LAMBDA_FUNCTION_MEMORY_SIZE");
  return {
    table: required(variables, ENVIRONMENT.table),
    bucket: required(variables, ENVIRONMENT.bucket),
    generation: numberOf(variables, ENVIRONMENT.generation) ?? publishedVersion(variables),
    maxStateBytes:
      numberOf(variables, ENVIRONMENT.maxStateBytes) ??
      (memoryMb === null ? null : Math.floor(memoryMb * 1_048_576 * STATE_SHARE_OF_MEMORY)),
    timeReserveMs: numberOf(variables, ENVIRONMENT.timeReserve),
    shuffleStream: variables[ENVIRONMENT.shuffleStream] || null,
    streamArns: JSON.parse(variables[ENVIRONMENT.streamArns] ?? "{}") as Record<string, string>,
    kafkaPartialBatches: variables[ENVIRONMENT.kafkaPartialBatches] === "true",
    metrics: variables["POWERTOOLS_METRICS_DISABLED"] !== "true",
    ownEndpoints: hasOwnEndpoints(variables),
  };
}

export const hasOwnEndpoints = (variables: Readonly<Record<string, string | undefined>>): boolean =>
  ENDPOINTS.some((name) => (variables[name] ?? "") !== "");

/** `$LATEST` is 0, below every published version: once one of those has committed, an unpublished function is superseded. */
const publishedVersion = (variables: Readonly<Record<string, string | undefined>>): number => {
  const version = variables["AWS_LAMBDA_FUNCTION_VERSION"] ?? "";
  return /^\d+$/.test(version) ? Number(version) : 0;
};

export function required(variables: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = variables[name];
  if (value !== undefined && value !== "") return value;
  throw userError(
    "environment-incomplete",
    `The environment variable ${name} is not set.`,
    "Deploy with the construct StreamingQuery, which sets it.",
  );
}

function numberOf(variables: Readonly<Record<string, string | undefined>>, name: string): number | null {
  const text = variables[name];
  if (text === undefined || text === "") return null;
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw userError(
    "environment-not-a-number",
    `The environment variable ${name} is "${text}".`,
    "Set it to a whole number.",
  );
}
