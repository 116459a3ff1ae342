import type { Publisher } from "../checkpoint/state-partition.js";
import type { OutputName } from "../sinks/sink.js";
import type { Deadline } from "./ports.js";
import type { QueryRuntime } from "./query-runtime.js";

const OUTPUTS: readonly OutputName[] = ["result", "late", "malformed"];

/** Everything committed goes to its sinks, under its identity (protocol.md rules 8 and 9). Half of the reserve is kept for the answer. */
export async function publishPending({ ports }: QueryRuntime, deadline: Deadline | null): Promise<void> {
  const publisher: Publisher = async (identity, parts) => {
    for (const output of OUTPUTS) {
      const own = parts.filter((part) => part.output === output);
      if (own.length > 0) await ports.sinks[output].publish(identity, own);
    }
  };
  const deadlineReached = () => deadline !== null && ports.clock.now() >= deadline.at - deadline.reserveMs / 2;
  await ports.partition.publish(publisher, deadlineReached);
}
