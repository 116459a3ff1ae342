import { describe, expect, it } from "vitest";
import { emitGroups } from "../../lib/operators/emit.js";
import { outputStager } from "../../lib/runtime/output-stager.js";
import { memorySink } from "../../lib/sinks/memory-sink.js";
import type { OutboxPart, Sink } from "../../lib/sinks/sink.js";
import { memoryState } from "../../lib/state/staged-state.js";
import { COUNT_SCHEMA } from "./support/windowed-count.js";

const shape = {
  schema: COUNT_SCHEMA,
  outputMode: "append",
  noEventTime: () => "'t' is NULL",
  rowSchemaOf: () => COUNT_SCHEMA,
  input: null,
  arrival: 0,
} as const;

describe("output streamed through the operators below (STEPS B1)", () => {
  it("asks for no more groups than were taken: a chunk of a thousand at a time", () => {
    const state = memoryState();
    const filling = state.stage();
    const spec = { operatorId: "o", table: "t", locate: "expiry" } as const;
    for (let n = 0; n < 5_500; n++) filling.table<number>(spec).put(`k${n}`, n, 10);
    state.commit(filling);
    const store = state.stage().table<number>(spec);
    let made = 0;
    const result = ({ value }: { readonly value: number }) => {
      made++;
      return { value };
    };
    const chunks = emitGroups("append", { store, touched: [], evictThrough: 10 }, result);
    expect(chunks.next().value).toMatchObject({ length: 1_000 });
    expect(made).toBe(1_000);
    expect([...chunks].map(({ length }) => length)).toEqual([1_000, 1_000, 1_000, 1_000, 500]);
    expect(store.size).toBe(0);
  });

  it("stages what is long enough before it takes more, and divides by the rows alone", async () => {
    const rows = Array.from({ length: 2_000 }, (_, n) => ({
      window: { start: 0, end: 1 },
      count: n,
      text: "x".repeat(9_000),
    }));
    const stagedBy = async (sizes: readonly number[]) => {
      const real = memorySink();
      let held = 0;
      let most = 0;
      const parts: OutboxPart[] = [];
      const sink: Sink = {
        ...real,
        stage(batch) {
          held = 0;
          return real.stage(batch);
        },
      };
      const outbox = { add: async (more: readonly OutboxPart[]) => void parts.push(...more) };
      const stager = outputStager({ result: sink, late: sink, malformed: sink }, outbox, shape);
      for (let from = 0, at = 0; from < rows.length; at++) {
        const chunk = rows.slice(from, from + sizes[at % sizes.length]!);
        from += chunk.length;
        held += chunk.length;
        await stager.add({ output: chunk });
        most = Math.max(most, held);
      }
      await stager.end();
      return { most, parts, rows: stager.numOutputRows };
    };
    const one = await stagedBy([10]);
    expect(one.rows).toBe(2_000);
    expect(one.parts.map(({ firstRow = 0 }) => firstRow)).toEqual([0, 440, 880, 1_320, 1_760]);
    expect(one.most).toBeLessThan(460);
    expect((await stagedBy([1, 7, 1_000])).parts).toEqual(one.parts);
  });

  it("gives a sink that takes a commit whole all of its rows at once", async () => {
    const sizes: number[] = [];
    const sink: Sink = {
      kind: "whole",
      wholeCommit: true,
      stage: ({ rows }) => {
        sizes.push(rows.length);
        return [];
      },
      publish: async () => undefined,
    };
    const stager = outputStager({ result: sink, late: sink, malformed: sink }, { add: async () => undefined }, shape);
    for (let n = 0; n < 10; n++) await stager.add({ output: [{ text: "x".repeat(1_000_000) }] });
    await stager.end();
    expect(sizes).toEqual([10]);
  });
});
