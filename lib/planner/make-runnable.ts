import { ColumnBatch } from "../columns/column-batch.js";
import type { StreamLimit } from "../operators/limit.js";
import type { LateRow, RejectedRow } from "../operators/operator.js";
import type { Row, Schema } from "../plan/schema.js";
import { beginVertices, downstreamFirst, endVertices, feedVertex, type Vertex } from "./operator-graph.js";
import type {
  PassOutput,
  PassResult,
  PhysicalQuery,
  PhysicalSource,
  SourceChunk,
  WatermarkNodeInfo,
} from "./physical-query.js";
import type { WatermarkObserver } from "./watermark-observer.js";

/** A plan as operators in their places. */
export interface OperatorPlan {
  readonly vertices: Vertex[];
  readonly sources: (PhysicalSource & { readonly vertex: number })[];
  readonly watermarks: {
    readonly info: WatermarkNodeInfo;
    readonly observer: WatermarkObserver;
    readonly vertex: number;
  }[];
  readonly outputSchema: Schema;
  /** As Spark with a single stateful operator: late rows are told by the watermark of eviction, everywhere (SEMANTICS H6). */
  readonly oneWatermark: boolean;
}

export function makeRunnable(plan: OperatorPlan): PhysicalQuery {
  const { vertices, sources, outputSchema, oneWatermark } = plan;
  const ordered = downstreamFirst(vertices);
  const stateful = ordered.flatMap((vertex) => vertex.stateful ?? []);
  const watermarks = ordered.flatMap(
    (vertex) => plan.watermarks.find((watermark) => vertices[watermark.vertex] === vertex) ?? [],
  );
  const limits = sources.map((source) => limitAbove(vertices, source.vertex));
  let output: Row[] = [];
  let late: LateRow[] = [];
  let withoutTime: RejectedRow[] = [];

  let numbers = { numOutputRows: 0, numLateRows: 0, numRowsWithoutTime: 0 };

  const emit = (row: Row): void => void output.push(row);

  const takeOutput = (): PassOutput => {
    const taken = { output, late, withoutTime };
    numbers.numOutputRows += output.length;
    numbers.numLateRows += late.length;
    numbers.numRowsWithoutTime += withoutTime.length;
    [output, late, withoutTime] = [[], [], []];
    return taken;
  };

  const result = (): PassResult => ({
    ...numbers,
    observations: watermarks.flatMap(({ observer }, node) => observer.observations(node)),
    // Of the first node that saw a row, in Spark's order (SEMANTICS A8).
    eventTime: watermarks.map(({ observer }) => observer.stats()).find((stats) => stats !== null) ?? null,
    stateOperators: stateful.map((operator) => operator.metrics()),
    rowsIgnoredForWatermark: watermarks.reduce((sum, { observer }) => sum + observer.ignored, 0),
    filtered: vertices.reduce((sum, { operator }) => sum + filteredBy(operator), 0),
  });

  return {
    sources: sources.map(({ name, schema, reads = null }) => ({ name, schema, reads })),
    watermarks: watermarks.map(({ info }) => info),
    stateful,
    tables: stateful.flatMap((operator) => operator.tables),
    outputSchema,
    wantsNoDataPass: watermarks.length > 0 && stateful.some((operator) => operator.wantsNoDataPass),
    beginPass(options) {
      [output, late, withoutTime] = [[], [], []];
      numbers = { numOutputRows: 0, numLateRows: 0, numRowsWithoutTime: 0 };
      for (const { observer } of watermarks) observer.beginPass();
      const { watermarkForLateEvents, watermarkForEviction } = options;
      beginVertices(vertices, !oneWatermark, {
        ...options,
        watermarkForLateEvents: oneWatermark ? watermarkForEviction : watermarkForLateEvents,
        late: (row) => void late.push(row),
        withoutTime: (row) => void withoutTime.push(row),
      });
    },
    process(source, input) {
      const feed = { ...input, source };
      for (const { observer, info } of watermarks) if (info.sources.includes(source)) observer.feed(feed);
      const batch = withOrigins(source, input);
      const limit = limits[source];
      const feedRows = (rows: ColumnBatch) => feedVertex(vertices, sources[source]!.vertex, rows, 0, emit);
      if (limit != null) return feedUpToLimit(limit, batch, feedRows);
      feedRows(batch);
      return batch.length;
    },
    *endPass() {
      const ending = endVertices(vertices, emit);
      do {
        if (output.length + late.length + withoutTime.length > 0) yield takeOutput();
      } while (ending.next().done !== true);
      if (output.length + late.length + withoutTime.length > 0) yield takeOutput();
      return result();
    },
  };
}

const filteredBy = (operator: object): number => ("filtered" in operator ? (operator.filtered as number) : 0);

/** Rows straight from a delivery come without origins: their place is the record's. */
const withOrigins = (source: number, { batch }: SourceChunk): ColumnBatch =>
  batch.origins === null ? new ColumnBatch(batch.table, batch.selection, { source, record: (row) => row }) : batch;

/** The stream limit that a source alone feeds, through operators without state. */
function limitAbove(vertices: readonly Vertex[], from: number): StreamLimit | null {
  for (let at: number | undefined = from; at !== undefined; at = vertices[at]!.consumer?.vertex) {
    const { operator, stateful, inputs } = vertices[at]!;
    if ("remaining" in operator) return operator as StreamLimit;
    if (stateful !== null || inputs.length > 1) return null;
  }
  return null;
}

/** One row at a time, until the limit has seen its fill: rows beyond it do not move the watermark (SEMANTICS G2). */
function feedUpToLimit(limit: StreamLimit, batch: ColumnBatch, feed: (row: ColumnBatch) => void): number {
  let read = 0;
  for (; read < batch.length && limit.remaining > 0; read++) feed(batch.only(read));
  return read;
}
