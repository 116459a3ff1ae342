import type { Query } from "../api/query.js";
import type { StreamingQueryListener } from "../runtime/listener.js";
import { sourcesOf } from "../runtime/query-sources.js";
import type { StreamAction } from "./actions.js";
import { testBench } from "./test-bench.js";

export interface TestOptions {
  /**
   * The clock's time at the start: ISO 8601 text or epoch ms. The year 2100 by default, so that no event of a test lies in the future,
   * where it would not move the watermark.
   */
  readonly startAt?: string | number;
  /**
   * Rows in place of the fixed tables that the query reads from S3 or DynamoDB, by the table's name; times may be ISO 8601 text, a Date
   * or epoch milliseconds.
   */
  readonly tables?: Readonly<Record<string, readonly object[]>>;
  /** As given to `queryHandler`; an error of theirs fails the step. */
  readonly listeners?: readonly StreamingQueryListener[];
}

const YEAR_2100 = Date.UTC(2100, 0, 1);

/**
 * Plays a script of actions against a query, over memory: real plan, operators, state, checkpoint and decoders, results kept
 * in place of the query's sink. Rejects at the first check that fails, with the number and name of its step.
 *
 * @example
 * await testStream(pageViews, [
 *   addData([{ eventTime: "2024-03-01T12:01:00Z", page: "/" }]),
 *   crashAfter("commit"),
 *   addData([{ eventTime: "2024-03-01T12:16:00Z", page: "/" }]),
 *   checkNewAnswer([{ window: { start: "2024-03-01T12:00:00Z", end: "2024-03-01T12:05:00Z" }, page: "/", views: 1 }]),
 * ]);
 */
export async function testStream(
  query: Query,
  actions: readonly StreamAction[],
  { startAt = YEAR_2100, tables = {}, listeners = [] }: TestOptions = {},
): Promise<void> {
  const [only] = sourcesOf(query.definition.plan);
  const bench = testBench(query.definition, {
    startAt: typeof startAt === "number" ? startAt : Date.parse(startAt),
    tables,
    listeners,
    places: actions.flatMap(({ sendsTo }) =>
      sendsTo === undefined ? [] : [{ shard: sendsTo.shard, source: sendsTo.source ?? only!.name }],
    ),
  });
  for (const [at, action] of actions.entries()) {
    try {
      await action.run(bench);
    } catch (error) {
      if (error instanceof Error) error.message = `step ${at + 1}, ${action.name}: ${error.message}`;
      throw error;
    }
  }
}
