import type { SourceDescriptor } from "../api/descriptors.js";
import type { Query } from "../api/query.js";
import type { SourceSchema } from "../api/source-schema.js";
import { userError } from "../errors.js";
import { SOURCES } from "../plan/connectors/catalogue.js";
import { sourcesOf } from "../runtime/query-sources.js";
import type { CrashStep } from "./crash.js";
import { type InputRow, payloadOf, type RawPayload } from "./sent-rows.js";
import type { Place, TestBench } from "./test-bench.js";

/** One step of a script. Your own are welcome: `run` is given the bench that all others work on. */
export interface StreamAction {
  readonly name: string;
  readonly run: (bench: TestBench) => Promise<void> | void;
  /** Where the step sends rows; no source: the query's only one. */
  readonly sendsTo?: { readonly source: string | undefined; readonly shard: string };
}

/** Where and when `addData` sends. */
export interface SendOptions {
  /** `shard-0` by default. */
  readonly shard?: string;
  /** When the rows arrived: ISO 8601 text or epoch ms. The clock's time by default for Kinesis and Kafka; files and memory have none. */
  readonly arrival?: string | number;
}

/**
 * Sends rows of one shard to the query, as one micro-batch. A text or bytes in place of a row is a payload as it is.
 *
 * @example addData([{ eventTime: "2024-03-01T12:01:00Z", page: "/" }, "not JSON"])
 * @example addData(clicks, [{ clickedAt: "2024-03-01T12:01:00Z" }], { shard: "b" })
 * @throws `source-unnamed` where the query has several sources and none is named
 */
export function addData(rows: readonly (object | RawPayload)[], options?: SendOptions): StreamAction;
export function addData<Schema extends SourceSchema>(
  source: SourceDescriptor<Schema>,
  rows: readonly (InputRow<Schema> | RawPayload)[],
  options?: SendOptions,
): StreamAction;
export function addData(
  first: SourceDescriptor | readonly unknown[],
  second?: readonly unknown[] | SendOptions,
  third?: SendOptions,
): StreamAction {
  const named = !Array.isArray(first);
  const source = named ? (first as SourceDescriptor).name : undefined;
  const rows = (named ? second : first) as readonly (object | RawPayload)[];
  const options = ((named ? third : second) ?? {}) as SendOptions;
  const { shard = "shard-0", arrival } = options;
  return {
    name: "addData",
    sendsTo: { source, shard },
    async run(bench) {
      const place = placeIn(bench, source, shard);
      await bench.deliver(place, rows.map(payloadOf), arrivalOf(bench, place, arrival));
    },
  };
}

/**
 * Lets time pass. Nothing runs by itself: follow it with `tick()`.
 * @param by "10 minutes", or milliseconds
 * @example advanceTime("1 hour")
 */
export const advanceTime = (by: string | number): StreamAction => ({
  name: "advanceTime",
  run: ({ clock }) => clock.advance(by),
});

/** What a deployed query does once a minute: timers, silent shards, windows that time has closed. @example tick() */
export const tick = (): StreamAction => ({
  name: "tick",
  run: (bench) => bench.invoke(async (query) => void (await query.tick())),
});

/** Closes all that is open, and the query with it: later rows are late with reason `drained`. @example drain() */
export const drain = (): StreamAction => ({
  name: "drain",
  run: (bench) => bench.invoke(async (query) => void (await query.drain())),
});

/**
 * In the next `addData`, `tick` or `drain` the environment dies after this step, and another one is given the same records again, as
 * Lambda does it. No check after it may come out differently.
 * @example crashAfter("commit")
 * @throws `crash-not-reached` where the next action commits nothing
 */
export const crashAfter = (step: CrashStep): StreamAction => ({
  name: `crashAfter(${step})`,
  run: (bench) => bench.crashAfter(step),
});

/**
 * A new environment over the same checkpoint; with a query, the changed one.
 * @example restart(pageViewsWithALongerDelay)
 * @throws what a deploy would be refused with, such as `state-key-schema-changed`
 */
export const restart = (query?: Query): StreamAction => ({
  name: "restart",
  run: (bench) => bench.restart(query?.definition),
});

/** That the action fails, with this code or message. @example checkFails(restart(otherKeys), "state-key-schema-changed") */
export const checkFails = (action: StreamAction, expected: string | RegExp): StreamAction => ({
  ...action,
  name: `checkFails(${action.name})`,
  async run(bench) {
    const failure = await failureOf(action, bench);
    const { code, message } = (failure ?? {}) as { readonly code?: string; readonly message?: string };
    const found = typeof expected === "string" ? code === expected : expected.test(message ?? "");
    if (!found) throw failure ?? didNotFail(action, expected);
  },
});

const didNotFail = (action: StreamAction, expected: string | RegExp) =>
  userError(
    "action-did-not-fail",
    `${action.name} did not fail with ${String(expected)}.`,
    "Correct the query, or what the script expects of it.",
  );

async function failureOf(action: StreamAction, bench: TestBench): Promise<unknown> {
  try {
    await action.run(bench);
    return null;
  } catch (error) {
    return error;
  }
}

function placeIn(bench: TestBench, source: string | undefined, shard: string): Place {
  const names = [...new Set(sourcesOf(bench.definition().plan).map(({ name }) => name))];
  if (source !== undefined && names.includes(source)) return { source, shard };
  if (source === undefined && names.length === 1) return { source: names[0]!, shard };
  throw userError(
    "source-unnamed",
    source === undefined ? "The query reads several sources." : `The query does not read '${source}'.`,
    `Give addData() the source to send to: ${names.join(", ")}.`,
  );
}

function arrivalOf(bench: TestBench, { source }: Place, arrival: string | number | undefined): number | null {
  if (arrival !== undefined) return typeof arrival === "number" ? arrival : Date.parse(arrival);
  const node = sourcesOf(bench.definition().plan).find(({ name }) => name === source)!;
  return SOURCES[node.descriptor.kind].arrivals ? bench.clock.now() : null;
}
