import { describe, expect, it } from "vitest";
import type { Row, Schema } from "../../lib/plan/schema.js";
import type { OutboxPart, OutputBatch, PublishIdentity, Sink } from "../../lib/sinks/sink.js";

export interface SinkUnderTest {
  /** A sink over a new, empty world, and a description of that world in which equal worlds are equal. */
  readonly open: () => { readonly sink: Sink; readonly world: () => unknown };
  /** Sinks that deliver at least once keep what they got twice; the rest of the law holds for them too. */
  readonly atLeastOnce?: boolean;
  /** Sinks that keep the newest row per key end in the same world only if every batch came at least once. */
  readonly anyOrder?: boolean;
}

export const SINK_SCHEMA: Schema = {
  fields: [
    { name: "id", type: "string", nullable: false },
    { name: "eventTime", type: "timestamp", nullable: true },
    { name: "views", type: "long", nullable: true },
    { name: "ratio", type: "double", nullable: true },
  ],
};

const DAY = 86_400_000;
const T0 = Date.UTC(2024, 0, 1, 23, 59);

const ROWS: readonly Row[] = [
  { id: "a", eventTime: T0, views: 1, ratio: 0.5 },
  { id: "b", eventTime: T0 + DAY, views: 9007199254740993n, ratio: Number.NaN },
  { id: "a", eventTime: T0 + 0.001, views: 2, ratio: null },
  { id: "c", eventTime: null, views: null, ratio: -0.25 },
];

export const outputBatch = (rows: readonly Row[]): OutputBatch => ({
  output: "result",
  rows,
  schema: SINK_SCHEMA,
  outputMode: "append",
  timeColumn: "eventTime",
  arrival: T0 + 2 * DAY,
});

export const identityOf = (batchId: number): PublishIdentity => ({
  query: "page-views",
  incarnation: "1704067200000",
  partition: 0,
  batchId,
});

/** The law of `lib/sinks/sink.ts`, for every sink. */
export function sinkContract(name: string, { open, atLeastOnce, anyOrder = true }: SinkUnderTest): void {
  describe(`${name} as a sink`, () => {
    it("stages the same rows as the same bytes, marked with its kind", () => {
      const { sink } = open();
      const parts = sink.stage(outputBatch(ROWS));
      expect(parts.length).toBeGreaterThan(0);
      for (const part of parts) expect(part).toMatchObject({ sink: sink.kind, output: "result" });
      expect(parts).toEqual(open().sink.stage(outputBatch(ROWS)));
    });

    it("stages nothing for no rows", () => {
      expect(open().sink.stage(outputBatch([]))).toEqual([]);
    });

    it("does not touch the world before publish", () => {
      const { sink, world } = open();
      sink.stage(outputBatch(ROWS));
      expect(world()).toEqual(open().world());
    });

    it("changes the world by publish", async () => {
      const { sink, world } = open();
      await sink.publish(identityOf(1), sink.stage(outputBatch(ROWS)));
      expect(world()).not.toEqual(open().world());
    });

    it("publishes parts that went through storage as those that did not", async () => {
      const parts = open().sink.stage(outputBatch(ROWS));
      const stored = parts.map((part): OutboxPart => ({ ...part, bytes: new Uint8Array(part.bytes) }));
      expect(await worldAfter(open, [[1, stored]])).toEqual(await worldAfter(open, [[1, parts]]));
    });

    it("refuses parts that another kind of sink staged", async () => {
      const { sink, world } = open();
      const part: OutboxPart = { output: "result", sink: "another", bytes: new Uint8Array([1]) };
      await expect(async () => sink.publish(identityOf(1), [part])).rejects.toThrow(/sink-changed/);
      expect(world()).toEqual(open().world());
    });

    if (atLeastOnce) return;

    it("leaves the world as if each batch was published once, however often and concurrently it was", async () => {
      const { sink, world } = open();
      const parts = sink.stage(outputBatch(ROWS));
      await Promise.all([sink.publish(identityOf(1), parts), sink.publish(identityOf(1), parts)]);
      await sink.publish(identityOf(1), parts);
      expect(world()).toEqual(await worldAfter(open, [[1, parts]]));
    });

    it("lets a zombie publish an old batch again without harm", async () => {
      const { stage } = open().sink;
      const first = stage(outputBatch(ROWS));
      const second = stage(outputBatch(ROWS.map((row) => ({ ...row, views: 100 }))));
      const expected = await worldAfter(open, [
        [1, first],
        [2, second],
      ]);
      expect(
        await worldAfter(open, [
          [1, first],
          [2, second],
          [1, first],
        ]),
      ).toEqual(expected);
      if (anyOrder)
        expect(
          await worldAfter(open, [
            [2, second],
            [1, first],
          ]),
        ).toEqual(expected);
    });
  });
}

async function worldAfter(
  open: SinkUnderTest["open"],
  published: readonly (readonly [batchId: number, parts: readonly OutboxPart[]])[],
): Promise<unknown> {
  const { sink, world } = open();
  for (const [batchId, parts] of published) await sink.publish(identityOf(batchId), parts);
  return world();
}
