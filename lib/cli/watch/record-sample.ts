import type { QueryDefinition, SourceNode } from "../../plan/logical-plan.js";
import { isKind, nodesBelow, nodesUpwards } from "../../plan/walk.js";
import { sourcesOf } from "../../runtime/query-sources.js";
import { sourceDecoder } from "../../runtime/source-decoder.js";
import { sourcePolicy } from "../../runtime/source-policy.js";
import { type KinesisEvent, kinesisDeliveries } from "../../sources/kinesis-event.js";
import type { RecordDot } from "../../ui/messages.js";

/** Of one delivery: a thousand records look like two hundred of them. */
const PER_EVENT = 200;

interface Sampled {
  readonly node: SourceNode;
  /** The column that the watermark above the source reads, where the source has one of its name. */
  readonly column: string;
  readonly decode: ReturnType<typeof sourceDecoder>;
  readonly maxFutureSkewMs: number | null;
}

/** Every so many-th record of an event that a function is invoked with. Costs a few references, whatever the event's size. */
export function pickRecords(event: unknown): KinesisEvent | null {
  const { Records } = event as Partial<KinesisEvent>;
  if (Records === undefined) return null;
  const step = Math.max(1, Records.length / PER_EVENT);
  return {
    Records: Array.from({ length: Math.min(PER_EVENT, Records.length) }, (_, at) => Records[Math.floor(at * step)]!),
  };
}

/** Dots of picked records, decoded as the query decodes them. */
export function recordDecoder(definition: QueryDefinition): (picked: KinesisEvent) => readonly RecordDot[] {
  const sources = new Map<string, Sampled>();
  for (const node of sourcesOf(definition.plan)) {
    const column = eventTimeColumn(definition, node);
    if (column === undefined || node.descriptor.kind !== "kinesis") continue;
    const { maxFutureSkewMs } = sourcePolicy(node.descriptor);
    sources.set(node.name, { node, column, decode: sourceDecoder(node, definition), maxFutureSkewMs });
  }
  const nameOf = (stream: string) =>
    [...sources.values()].find(
      ({ node: { descriptor } }) => descriptor.kind === "kinesis" && descriptor.stream === stream,
    )?.node.name ?? stream;

  return (picked) => {
    const dots: RecordDot[] = [];
    for (const { source, shard, records } of kinesisDeliveries(picked, nameOf)) {
      const sampled = sources.get(source);
      if (sampled === undefined) continue;
      for (const { sequence, data, arrival } of records.slice(0, PER_EVENT)) {
        const decoded = sampled.decode(data);
        const eventTime = "row" in decoded ? decoded.row[sampled.column] : null;
        if (typeof eventTime !== "number" || arrival === null) continue;
        const { maxFutureSkewMs } = sampled;
        const ignored = maxFutureSkewMs !== null && eventTime > arrival + maxFutureSkewMs;
        dots.push({ source, shard, sequence, arrival, eventTime, ignored });
      }
    }
    return dots;
  };
}

function eventTimeColumn({ plan }: QueryDefinition, node: SourceNode): string | undefined {
  const names = node.schema.fields.map(({ name }) => name);
  return nodesUpwards(plan)
    .filter(isKind("withWatermark"))
    .find((mark) => nodesBelow(mark).includes(node) && names.includes(mark.column))?.column;
}
