import { TidemarkError } from "../errors.js";
import {
  type ListenerEvents,
  type QueryIdleEvent,
  type QueryStartedEvent,
  type StreamingQueryListener,
  tellListeners,
} from "./listener.js";
import type { RuntimePorts } from "./ports.js";
import type { QueryProgress } from "./progress.js";

/** What one environment tells its listeners. */
interface QueryEvents {
  started(): void;
  progress(progress: QueryProgress): void;
  idle(event: QueryIdleEvent): void;
  drained(): void;
  /** Tells of the end if the call fails for good: superseded code commits nothing any more; all else is tried again. */
  watch<T>(call: Promise<T>): Promise<T>;
}

export function queryEvents(
  identity: Pick<QueryStartedEvent, "id" | "runId" | "name">,
  { listeners = [], onListenerError = () => {}, clock }: RuntimePorts,
): QueryEvents {
  const tell = <Name extends keyof StreamingQueryListener>(name: Name, event: ListenerEvents[Name]) =>
    tellListeners(listeners, name, event, onListenerError);
  const stamped = (): QueryStartedEvent => ({ ...identity, timestamp: new Date(clock.now()).toISOString() });
  return {
    started: () => tell("onQueryStarted", stamped()),
    progress: (progress) => tell("onQueryProgress", { progress }),
    idle: (event) => tell("onQueryIdle", event),
    drained: () => tell("onQueryTerminated", { ...stamped(), exception: null, errorClass: null }),
    async watch(call) {
      try {
        return await call;
      } catch (error) {
        if (error instanceof TidemarkError && error.code === "superseded")
          tell("onQueryTerminated", { ...stamped(), exception: error.message, errorClass: error.code });
        throw error;
      }
    },
  };
}
