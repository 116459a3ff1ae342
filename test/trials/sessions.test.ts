import { describe, expect, it } from "vitest";
import { aggregator } from "../../lib/operators/aggregates/aggregator.js";
import { keyColumns } from "../../lib/operators/key-columns.js";
import { sessionAggregate } from "../../lib/operators/session-aggregate.js";
import { defineQuery } from "../../lib/plan/define-query.js";
import type { OutputMode } from "../../lib/plan/logical-plan.js";
import { aggregateNode, makeSession, sourceNode, watermarkNode } from "../../lib/plan/nodes/nodes.js";
import type { Row, Schema } from "../../lib/plan/schema.js";
import { onRow } from "../operators/batches.js";
import { type BatchOutcome, operatorStream } from "../operators/operator-stream.js";

/** Faults of other engines' session windows, restated as small inputs. Times and gaps are seconds. */
const INPUT: Schema = {
  fields: [
    { name: "word", type: "string", nullable: true },
    { name: "ts", type: "timestamp", nullable: true },
  ],
};

const stream = (outputMode: OutputMode, delaySeconds: number) =>
  operatorStream(
    [
      sessionAggregate({
        operatorId: "sessions",
        keys: keyColumns([INPUT.fields[0]!]),
        column: { name: "ts", type: "timestamp" },
        watermarked: true,
        gap: onRow((row) => (row["gap"] === undefined ? 10e6 : (row["gap"] as number) * 1e6)),
        as: "session",
        aggregates: aggregator([{ as: "n", fn: "count", type: "long" }], INPUT),
        outputMode,
        lateRule: "state",
      }),
    ],
    { delayMs: delaySeconds * 1000, timeOf: (row) => row["ts"] as number },
  );

const at = (word: string, ...seconds: number[]): Row[] => seconds.map((second) => ({ word, ts: second * 1000 }));

/** [word, start, end, n] */
const sessions = ({ output }: BatchOutcome) =>
  output.map((row) => {
    const { start, end } = row["session"] as { start: number; end: number };
    return [row["word"], start / 1000, end / 1000, row["n"]];
  });

describe("trial 33: merge across three sessions", () => {
  it("makes one session of what a row bridges", () => {
    const words = stream("complete", 1000);
    expect(sessions(words.add(at("hello", 40, 41)))).toEqual([["hello", 40, 51, 2]]);
    expect(sessions(words.add(at("hello", 25)))).toEqual([
      ["hello", 40, 51, 2],
      ["hello", 25, 35, 1],
    ]);
    expect(sessions(words.add(at("hello", 30)))).toEqual([["hello", 25, 51, 4]]);
  });
});

describe("trial 35: a late event that joins the next session instead of being dropped", () => {
  // https://github.com/hazelcast/hazelcast-jet/issues/747
  it("is tested by its own session, before any merging, once per word", () => {
    const words = stream("append", 30);
    words.add([...at("hello", 40, 41), ...at("world", 40)]);
    expect(words.watermark).toBe(11_000);
    const late = words.add([...at("hello", 0), ...at("world", 0)]);
    expect(sessions(late)).toEqual([]);
    expect(late.data[0]!.metrics).toMatchObject({ numRowsDroppedByWatermark: 2, numLateInputRows: 2, numRowsTotal: 2 });
  });
});

describe("trial 36: a session that is closed too early", () => {
  // https://github.com/apache/kafka/pull/10824 (KAFKA-12718), https://github.com/apache/kafka/pull/6654 (KAFKA-8289)
  it("stays open until the watermark reaches its end", () => {
    const words = stream("append", 0);
    expect(sessions(words.add(at("k", 0)))).toEqual([]);
    expect(sessions(words.add(at("other", 9)))).toEqual([]);
    expect(sessions(words.add(at("other", 10)))).toEqual([["k", 0, 10, 1]]);
  });
});

describe("trial 38: a gap of zero or less", () => {
  // SPARK-36465
  it("takes its row out and touches no other", () => {
    const words = stream("append", 0);
    const batch = words.add([...at("k", 0), { word: "k", ts: 1000, gap: 0 }, { word: "k", ts: 2000, gap: -5 }]);
    expect(batch.data[0]!.metrics).toMatchObject({ numRowsDroppedByWatermark: 0, withoutTime: 2, accepted: 1 });
    expect(sessions(words.add(at("other", 100)))).toEqual([["k", 0, 10, 1]]);
  });
});

describe("trial 39: combinations that make no sense", () => {
  const words = watermarkNode(sourceNode("words", { kind: "memory" }, INPUT), "ts", "10 seconds");
  const define = (keys: readonly string[], outputMode: OutputMode) =>
    defineQuery({
      queryName: "sessions",
      outputMode,
      sink: { kind: "memory" },
      plan: aggregateNode(words, {
        window: makeSession("ts", "10 seconds"),
        keys: keys.map((name) => ({ name, value: { kind: "column", name } })),
        aggregates: [{ as: "n", fn: "count" }],
      }),
    });

  it("are refused when the query is built", () => {
    expect(() => define(["word"], "update")).toThrow(/\[session-update\]/);
    expect(() => define([], "append")).toThrow(/\[session-without-keys\]/);
    expect(define(["word"], "append").outputMode).toBe("append");
  });
});
