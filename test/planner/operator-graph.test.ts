import { describe, expect, it } from "vitest";
import { type ColumnBatch, NO_ROWS, rowBatch } from "../../lib/columns/column-batch.js";
import type { Operator, StatefulOperator } from "../../lib/operators/operator.js";
import type { Row } from "../../lib/plan/schema.js";
import {
  beginVertices,
  downstreamFirst,
  endVertices,
  feedVertex,
  type Vertex,
} from "../../lib/planner/operator-graph.js";
import { passContext } from "../operators/pass-context.js";

/** Holds its rows until the pass ends, and notes the watermarks that it was given; what it emits is later by `lag`. */
function holding(lag: number) {
  const given: [number, number][] = [];
  let held: Row[] = [];
  const operator = {
    beginPass: (context) => {
      given.push([context.watermarkForLateEvents, context.watermarkForEviction]);
      held = [];
    },
    process: (batch: ColumnBatch) => {
      held.push(...batch.rows());
      return NO_ROWS;
    },
    endPass: () => [rowBatch(held)],
    outputWatermark: (watermark: number) => watermark - lag,
  } as Partial<StatefulOperator> as StatefulOperator;
  return { given, operator };
}

const passing: Operator = { beginPass() {}, process: (chunk) => chunk, endPass: () => [] };
const step = (
  operator: Operator,
  inputs: readonly number[],
  consumer: Vertex["consumer"],
  stateful: StatefulOperator | null = null,
): Vertex => ({
  operator,
  inputs,
  consumer,
  stateful,
});

/** Two sources; the left is held twice, then joined by a union. */
function graph() {
  const [first, second] = [holding(5), holding(0)];
  const vertices = [
    step(passing, [], { vertex: 1, input: 0 }),
    step(first.operator, [0], { vertex: 3, input: 0 }, first.operator),
    step(passing, [], { vertex: 3, input: 1 }),
    step(passing, [1, 2], { vertex: 4, input: 0 }),
    step(second.operator, [3], null, second.operator),
  ];
  return { vertices, first, second };
}

describe("the graph of operators", () => {
  it("hands what an operator emits at the end to its consumer before that one ends", () => {
    const { vertices } = graph();
    const output: Row[] = [];
    const emit = (row: Row) => void output.push(row);
    beginVertices(vertices, true, passContext().context);
    feedVertex(vertices, 0, rowBatch([{ n: 1 }]), 0, emit);
    feedVertex(vertices, 2, rowBatch([{ n: 2 }]), 0, emit);
    expect(output).toEqual([]);
    for (const _ of endVertices(vertices, emit));
    expect(output).toEqual([{ n: 2 }, { n: 1 }]);
  });

  it("passes both watermarks through the operators below, the lowest of several inputs", () => {
    const { vertices, first, second } = graph();
    const { context } = passContext({ watermarkForLateEvents: 10, watermarkForEviction: 20 });
    beginVertices(vertices, true, context);
    expect([first.given, second.given]).toEqual([[[10, 20]], [[5, 15]]]);
    beginVertices(vertices, false, context);
    expect(second.given.at(-1)).toEqual([10, 20]);
  });

  it("lists vertices downstream first, left before right", () => {
    const { vertices } = graph();
    expect(downstreamFirst(vertices).map((one) => vertices.indexOf(one))).toEqual([4, 3, 1, 0, 2]);
  });
});
