import type { Publisher, StatePartition } from "../checkpoint/state-partition.js";
import type { Deadline, RuntimePorts } from "./ports.js";
import type { QueryProgress } from "./progress.js";
import type { QueryRuntime } from "./query-runtime.js";
import type { Stopwatch } from "./stopwatch.js";

/** A step has parts of one output, which go to that output's sink. */
export const publisherOf =
  ({ sinks }: RuntimePorts): Publisher =>
  (identity, parts) =>
    sinks[parts[0]!.output].publish(identity, parts);

/** Asked before every step of publication. Half of the reserve is kept for the answer. */
export const publishDeadline =
  ({ clock }: RuntimePorts, deadline: Deadline | null) =>
  (): boolean =>
    deadline !== null && clock.now() >= deadline.at - deadline.reserveMs / 2;

/** Everything committed goes to its sinks, under its identity (protocol.md rules 8 and 9). */
export async function publishPending(
  { ports }: Pick<QueryRuntime, "ports">,
  partition: StatePartition,
  deadline: Deadline | null,
): Promise<void> {
  await partition.publish(publisherOf(ports), publishDeadline(ports, deadline));
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
