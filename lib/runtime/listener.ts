import type { InputWatermark } from "./input-watermarks.js";
import type { QueryProgress } from "./progress.js";

/** Spark's events of a query, as one environment sees them: another environment of the same function has events of its own. */
export interface QueryStartedEvent {
  /** Stable over restarts, and one per environment: Spark's `id` and `runId`. */
  readonly id: string;
  readonly runId: string;
  readonly name: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

export interface QueryProgressEvent {
  readonly progress: QueryProgress;
}

/** A tick that found nothing to commit: where event time stands, and what was read. */
export interface QueryIdleEvent extends QueryStartedEvent {
  /** ISO instant; null before the first row. */
  readonly watermark: string | null;
  readonly heldBackBy: string | null;
  readonly watermarks: readonly InputWatermark[];
}

export interface QueryTerminatedEvent extends QueryStartedEvent {
  /** Null: drained. Otherwise the error that this environment cannot go on after. */
  readonly exception: string | null;
  /** Its code, if it is one of ours. */
  readonly errorClass: string | null;
}

/**
 * Hears what happens to a query. Called after the fact and in the invocation, so be quick; what it throws is logged and changes nothing.
 *
 * @example const listener: StreamingQueryListener = { onQueryProgress: ({ progress }) => send(progress.numLateInputRows) };
 */
export interface StreamingQueryListener {
  onQueryStarted?(event: QueryStartedEvent): void;
  onQueryProgress?(event: QueryProgressEvent): void;
  onQueryIdle?(event: QueryIdleEvent): void;
  onQueryTerminated?(event: QueryTerminatedEvent): void;
}

export type ListenerEvents = {
  [Name in keyof Required<StreamingQueryListener>]: Parameters<Required<StreamingQueryListener>[Name]>[0];
};

/** Tells all of them; one that throws keeps nothing from the others. */
export function tellListeners<Name extends keyof StreamingQueryListener>(
  listeners: readonly StreamingQueryListener[],
  name: Name,
  event: ListenerEvents[Name],
  onError: (error: unknown) => void,
): void {
  for (const listener of listeners) {
    try {
      (listener[name] as ((event: ListenerEvents[Name]) => void) | undefined)?.call(listener, event);
    } catch (error) {
      onError(error);
    }
  }
}
