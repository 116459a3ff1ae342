import type { Publisher, StatePartition } from "../checkpoint/state-partition.js";
import type { OutputName } from "../sinks/sink.js";
import type { Deadline, RuntimePorts } from "./ports.js";
import type { QueryProgress } from "./progress.js";
import type { QueryRuntime } from "./query-runtime.js";
import type { Stopwatch } from "./stopwatch.js";

const OUTPUTS: readonly OutputName[] = ["result", "late", "malformed"];

/** Each output's parts go to its own sink, results first. */
export const publisherOf =
  ({ sinks }: RuntimePorts): Publisher =>
  async (identity, parts) => {
    for (const output of OUTPUTS) {
      const own = parts.filter((part) => part.output === output);
      if (own.length > 0) await sinks[output].publish(identity, own);
    }
  };

/** Everything committed goes to its sinks, under its identity (protocol.md rules 8 and 9). Half of the reserve is kept for the answer. */
export async function publishPending(
  { ports }: Pick<QueryRuntime, "ports">,
  partition: StatePartition,
  deadline: Deadline | null,
): Promise<void> {
  const deadlineReached = () => deadline !== null && ports.clock.now() >= deadline.at - deadline.reserveMs / 2;
  await partition.publish(publisherOf(ports), deadlineReached);
}

/** The progress of a commit is reported whether or not its output gets out now: it will, and nobody would report it then. */
export async function publishAndReport(
  runtime: QueryRuntime,
  partition: StatePartition,
  deadline: Deadline | null,
  watch: Stopwatch,
  progress: QueryProgress,
): Promise<QueryProgress> {
  const report = () => {
    watch.lap("publish");
    const complete = { ...progress, durationMs: watch.durations() };
    runtime.ports.onProgress(complete);
    return complete;
  };
  try {
    await publishPending(runtime, partition, deadline);
  } catch (error) {
    report();
    throw error;
  }
  return report();
}
