import type { ColumnBatch } from "../columns/column-batch.js";
import type { Operator, PassContext, StatefulOperator } from "../operators/operator.js";
import type { Row } from "../plan/schema.js";
import type { Watermark } from "../time/event-time.js";

/** An operator in its place. Inputs stand before their consumer, so that the order of vertices is topological. */
export interface Vertex {
  readonly operator: Operator;
  readonly stateful: StatefulOperator | null;
  readonly inputs: readonly number[];
  consumer: { readonly vertex: number; readonly input: number } | null;
}

/** Hands a batch to a vertex, and what comes out to its consumer, down to the output. */
export function feedVertex(
  vertices: readonly Vertex[],
  vertex: number,
  batch: ColumnBatch,
  input: number,
  emit: (row: Row) => void,
): void {
  const { operator, consumer } = vertices[vertex]!;
  deliver(vertices, consumer, operator.process(batch, input), emit);
}

/** What a vertex emits of itself, to its consumer. */
function deliver(
  vertices: readonly Vertex[],
  consumer: Vertex["consumer"],
  batch: ColumnBatch,
  emit: (row: Row) => void,
): void {
  if (batch.length === 0) return;
  if (consumer === null) {
    for (const row of batch.selection) emit(batch.row(row));
  } else feedVertex(vertices, consumer.vertex, batch, consumer.input, emit);
}

/** Ends the pass, batch by batch: an operator has everything its inputs emit before it ends itself. */
export function* endVertices(vertices: readonly Vertex[], emit: (row: Row) => void): Generator<void, void> {
  for (const { operator, consumer } of vertices) {
    for (const batch of operator.endPass()) {
      deliver(vertices, consumer, batch, emit);
      yield;
    }
  }
}

/**
 * Begins a pass. Each operator gets its own pair of watermarks: the global ones as they come through the operators below
 * it; of several inputs the lowest (SEMANTICS H2, H3). Without `propagate` all get the global ones (H6).
 */
export function beginVertices(vertices: readonly Vertex[], propagate: boolean, context: PassContext): void {
  const late: Watermark[] = [];
  const evict: Watermark[] = [];
  for (const { operator, stateful, inputs } of vertices) {
    const lateHere = lowest(inputs, late, context.watermarkForLateEvents);
    const evictHere = lowest(inputs, evict, context.watermarkForEviction);
    operator.beginPass({ ...context, watermarkForLateEvents: lateHere, watermarkForEviction: evictHere });
    const through = propagate ? stateful : null;
    late.push(through?.outputWatermark(lateHere) ?? lateHere);
    evict.push(through?.outputWatermark(evictHere) ?? evictHere);
  }
}

function lowest(inputs: readonly number[], values: readonly Watermark[], otherwise: Watermark): Watermark {
  let least = inputs.length === 0 ? otherwise : Number.POSITIVE_INFINITY;
  for (const input of inputs) least = Math.min(least, values[input]!);
  return least;
}

/** Spark's order: downstream first, a join's left before its right. */
export function downstreamFirst(vertices: readonly Vertex[]): readonly Vertex[] {
  const ordered: Vertex[] = [];
  const visit = (index: number): void => {
    const vertex = vertices[index]!;
    ordered.push(vertex);
    vertex.inputs.forEach(visit);
  };
  if (vertices.length > 0) visit(vertices.length - 1);
  return ordered;
}
