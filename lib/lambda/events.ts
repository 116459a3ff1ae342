import { userError } from "../errors.js";
import type { DeployableSource } from "../plan/connectors/catalogue.js";
import { isKafkaEvent, type KafkaEvent } from "../sources/kafka-event.js";
import type { KinesisEvent } from "../sources/kinesis-event.js";

/** What the event source mapping of each source delivers. */
interface SourceEvents {
  readonly kinesis: KinesisEvent;
  readonly kafka: KafkaEvent;
}

type RecordsOf<Kind extends DeployableSource["kind"]> = Kind extends unknown
  ? { readonly kind: "records"; readonly from: Kind; readonly event: SourceEvents[Kind] }
  : never;

/** What the handler is invoked with: records of the event source mapping, or a command. */
export type Invocation = RecordsOf<DeployableSource["kind"]> | { readonly kind: "tick" } | { readonly kind: "drain" };

/** What an operator invokes the function with: one tick at once, or the query's end. */
export interface CommandEvent {
  readonly tidemark: "tick" | "drain";
}

/** An EventBridge rule with a rate and no input of its own. */
export interface ScheduledEvent {
  readonly source: "aws.events";
  readonly "detail-type": "Scheduled Event";
}

/** @throws `event-unknown`, `tumbling-window-mapping` */
export function invocationOf(event: unknown): Invocation {
  const fields = (typeof event === "object" && event !== null ? event : {}) as Partial<
    KinesisEvent & CommandEvent & ScheduledEvent & { readonly window: unknown }
  >;
  if (fields.Records !== undefined && fields.window !== undefined)
    throw userError(
      "tumbling-window-mapping",
      "The event source mapping has a tumbling window, whose state Lambda would have kept.",
      "Set TumblingWindowInSeconds of the mapping to 0: windows are the query's.",
    );
  if (fields.Records !== undefined) return { kind: "records", from: "kinesis", event: fields as KinesisEvent };
  if (isKafkaEvent(event)) return { kind: "records", from: "kafka", event };
  if (fields.tidemark === "tick" || fields.tidemark === "drain") return { kind: fields.tidemark };
  if (fields.source === "aws.events" && fields["detail-type"] === "Scheduled Event") return { kind: "tick" };
  throw userError(
    "event-unknown",
    "The event is neither a batch of records nor a tick.",
    'Invoke the function by its event source mapping, or with {"tidemark":"tick"}.',
  );
}
