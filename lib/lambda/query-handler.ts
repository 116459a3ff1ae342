import { Logger } from "@aws-lambda-powertools/logger";
import middy from "@middy/core";
import type { Context } from "aws-lambda";
import { externalError, TidemarkError } from "../errors.js";
import { nameOf, SOURCES } from "../plan/connectors/catalogue.js";
import type { QueryDefinition } from "../plan/logical-plan.js";
import { systemClock } from "../runtime/clock.js";
import type { StreamingQueryListener } from "../runtime/listener.js";
import type { Deadline } from "../runtime/ports.js";
import { sourcesOf } from "../runtime/query-sources.js";
import type { StagedQuery } from "../runtime/stages/staged-query.js";
import type { StreamingQuery } from "../runtime/streaming-query.js";
import { kafkaDeliveries } from "../sources/kafka-event.js";
import { type KinesisEvent, kinesisDeliveries, shuffledPayloads, streamOf } from "../sources/kinesis-event.js";
import { type BatchResponse, batchResponse, type KafkaBatchResponse, kafkaBatchResponse } from "./batch-response.js";
import { deadlineOf } from "./deadline.js";
import { type Environment, readEnvironment } from "./environment.js";
import { type Invocation, invocationOf } from "./events.js";
import { findingLog } from "./finding-log.js";
import { loggedError } from "./logged-error.js";
import {
  failedRecordLine,
  findingsLine,
  idleLine,
  metricLines,
  repeatedRecordsLine,
  shuffleGapLine,
} from "./metrics.js";
import { answerAtOnce, logFailures, logsMessages } from "./middleware.js";
import { openOnAws } from "./open-on-aws.js";
import { openStagedOnAws } from "./open-staged-on-aws.js";
import { processPartitions } from "./process-partitions.js";

/** What `writeStream` returns; only its definition is read. */
export interface HandledQuery {
  readonly definition: QueryDefinition;
}

export interface HandlerOptions {
  /** Hear of every commit, idle tick, start and end in this environment. */
  readonly listeners?: readonly StreamingQueryListener[];
}

/** By which a synth tells whose handler a file exports, also across two copies of this package. */
export const HANDLED_QUERY: unique symbol = Symbol.for("tidemark.handled-query");

/** As `KinesisStreamHandler` of @types/aws-lambda and its like have it, the callback aside. */
type LambdaHandler = (event: unknown, context: Context, callback?: unknown) => Promise<BatchResponse>;

/** As Lambda calls it. */
export type QueryHandler = (event: unknown, context: Context) => Promise<BatchResponse | KafkaBatchResponse>;

/**
 * The Lambda handler of a query: one batch of Kinesis or Kafka records is one micro-batch, `{"tidemark":"tick"}` or a scheduled event one tick,
 * `{"tidemark":"drain"}` the end. Nothing is read or connected before the first invocation. A middy handler: `.use()` adds
 * middleware of your own.
 *
 * The event source mapping needs ReportBatchItemFailures, a parallelization factor of 1 and no bisecting (protocol.md rule 4).
 *
 * @example export const handler = queryHandler(pageViews);
 * @example export const handler = queryHandler(pageViews, { listeners: [{ onQueryProgress: ({ progress }) => send(progress) }] });
 * @throws on the invocation: `environment-incomplete`, `event-unknown`, and what kept the batch from its commit; the records come again
 */
export function queryHandler({ definition }: HandledQuery, { listeners = [] }: HandlerOptions = {}) {
  const logger = new Logger({ serviceName: definition.queryName });
  const findings = findingLog();
  let environment: Environment | undefined;
  let opening: Promise<StreamingQuery | StagedQuery> | undefined;

  /** Once per environment; a failed attempt is not kept. */
  const open = (settings: Environment): Promise<StreamingQuery | StagedQuery> => {
    const emit = (lines: readonly string[]) => {
      if (settings.metrics) for (const line of lines) process.stdout.write(`${line}\n`);
    };
    const openQuery = definition.options.statePartitions > 1 ? openStagedOnAws : openOnAws;
    opening ??= openQuery(definition, settings, {
      clock: systemClock,
      listeners,
      onProgress(progress) {
        logger.info("progress", { progress });
        emit(metricLines(progress, systemClock.now()));
      },
      onIdle: (event) => emit([idleLine(event, systemClock.now())]),
      onListenerError: (error) =>
        logger.warn("A listener threw; the query goes on.", { failure: loggedError(error, logsMessages()) }),
    }).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };

  /** What `tidemark doctor` would say, in the log and as a metric; the query runs on without it. */
  const lookAround = async (query: StreamingQuery, { metrics }: Environment): Promise<void> => {
    try {
      const look = await findings.look(query, systemClock.now());
      if (look === null) return;
      for (const finding of look.fresh) logger.warn(`finding: ${finding.signature}`, { finding });
      if (metrics) process.stdout.write(`${findingsLine(definition.queryName, look, systemClock.now())}\n`);
    } catch (error) {
      logger.warn("The last batches could not be looked at.", { failure: loggedError(error, logsMessages()) });
    }
  };

  const handle = async (event: unknown, context: Context): Promise<BatchResponse | KafkaBatchResponse> => {
    const invocation = invocationOf(event);
    environment ??= readEnvironment(process.env);
    const deadline = deadlineOf(systemClock.now(), context.getRemainingTimeInMillis(), environment.timeReserveMs);
    const query = await open(environment);
    if (invocation.kind !== "records") {
      await query[invocation.kind](deadline);
      // Findings are told of one log; those of a query in two stages are told by its alarms.
      if (!("processShuffled" in query)) await lookAround(query, environment);
      return { batchItemFailures: [] };
    }
    if ("processShuffled" in query && isShuffled(invocation, environment))
      return processShuffled(query, invocation.event, deadline);
    const deliveries = deliveriesOf(definition, invocation);
    const { unprocessed, failures, repeated } = await processPartitions(query, deliveries, deadline);
    const delivered = deliveries.reduce((sum, { records }) => sum + records.length, 0);
    if (repeated && delivered > 0) {
      logger.info("Nothing new: every record was consumed before.", { repeatedRecords: delivered });
      if (environment.metrics)
        process.stdout.write(`${repeatedRecordsLine(definition.queryName, delivered, systemClock.now())}\n`);
    }
    for (const { record, error } of failures) {
      findings.failed(record);
      report("A user function threw; its record comes again.", error, record);
    }
    if (SOURCES[invocation.from].redelivers === "from-first-left") return batchResponse(unprocessed);
    if (unprocessed.length > 0 && !environment.kafkaPartialBatches) throw recordsLeft(failures[0]?.error);
    return kafkaBatchResponse(unprocessed, (source) => topicOf(definition, source));
  };

  /** Second stage. A new incarnation's record ends what this environment knows (S13). */
  const processShuffled = async (
    query: StagedQuery,
    event: KinesisEvent,
    deadline: Deadline,
  ): Promise<BatchResponse> => {
    try {
      const { firstLeft, failure } = await query.processShuffled(shuffledPayloads(event), deadline);
      if (failure !== undefined)
        report("A partition stopped; its record comes again.", failure, { sequence: firstLeft });
      return { batchItemFailures: firstLeft === null ? [] : [{ itemIdentifier: firstLeft }] };
    } catch (error) {
      if (error instanceof TidemarkError && error.code === "incarnation-changed") opening = undefined;
      throw error;
    }
  };

  const report = (what: string, failure: unknown, record: unknown): void => {
    logger.error(what, { record, failure: loggedError(failure, logsMessages()) });
    if (!environment?.metrics) return;
    const gap = failure instanceof TidemarkError && failure.code === "shuffle-gap";
    for (const line of [failedRecordLine, ...(gap ? [shuffleGapLine] : [])])
      process.stdout.write(`${line(definition.queryName, systemClock.now())}\n`);
  };

  const handler = middy<unknown, BatchResponse | KafkaBatchResponse>({ timeoutEarlyInMillis: 0 })
    .use(answerAtOnce())
    .use(logFailures(logger))
    .handler(handle);
  return Object.assign(handler as typeof handler & LambdaHandler, { [HANDLED_QUERY]: definition.queryName });
}

const isShuffled = (
  invocation: Extract<Invocation, { kind: "records" }>,
  { shuffleStream }: Environment,
): invocation is Extract<Invocation, { from: "kinesis" }> =>
  invocation.from === "kinesis" && streamOf(invocation.event) === shuffleStream;

function deliveriesOf({ plan }: QueryDefinition, invocation: Extract<Invocation, { kind: "records" }>) {
  const sourceOf = (name: string) =>
    sourcesOf(plan).find(({ descriptor }) => descriptor.kind === invocation.from && nameOf(descriptor) === name)?.name;
  switch (invocation.from) {
    case "kinesis":
      return kinesisDeliveries(invocation.event, sourceOf);
    case "kafka":
      return kafkaDeliveries(invocation.event, sourceOf);
  }
}

const topicOf = ({ plan }: QueryDefinition, source: string): string => {
  const found = sourcesOf(plan).find(({ name }) => name === source);
  return found === undefined ? source : (nameOf(found.descriptor) ?? source);
};

/** Of a mapping without partial answers, which would take one for success: the batch comes again, and what was consumed is skipped. */
const recordsLeft = (cause: unknown) =>
  externalError("records-left", "A part of the batch is not consumed yet.", "It is sent again.", cause);
