import type { Publisher, StatePartition } from "../checkpoint/state-partition.js";
import { externalError, userError } from "../errors.js";
import { type OutboxPart, type PublishIdentity, type Sink, sinksOfOutput } from "../sinks/sink.js";
import { targetOf } from "../sinks/sink-target.js";
import type { Deadline, RuntimePorts } from "./ports.js";
import type { QueryProgress } from "./progress.js";
import type { QueryRuntime } from "./query-runtime.js";
import type { Stopwatch } from "./stopwatch.js";

/** A step has parts of one output, which go to the sink that they were staged for. */
export const publisherOf =
  (ports: Pick<RuntimePorts, "sinks" | "formerSink">): Publisher =>
  (identity, parts) => {
    const sink = sinksOfOutput(ports.sinks, parts[0]!.output).find((each) => isFor(parts[0]!, each));
    return sink === undefined ? publishFormer(ports, identity, parts) : sink.publish(identity, parts);
  };

/** A part of a former version has no target: it goes to a sink of its kind. */
const isFor = (part: OutboxPart, sink: Sink): boolean =>
  part.target === undefined && sink.kind === part.sink ? true : targetOfPart(part) === targetOf(sink);

const targetOfPart = ({ sink, target }: OutboxPart): string => target ?? sink;

/** Once, and where it belongs: the former sink may have it already, and takes it again as it takes any repeat. */
async function publishFormer(
  { formerSink }: Pick<RuntimePorts, "formerSink">,
  identity: PublishIdentity,
  parts: readonly OutboxPart[],
): Promise<void> {
  const target = targetOfPart(parts[0]!);
  const sink = (await formerSink?.(target, parts[0]!.output)) ?? null;
  if (sink === null) throw sinkChanged(target);
  try {
    await sink.publish(identity, parts);
  } catch (cause) {
    throw externalError(
      "former-sink-unavailable",
      `Output of batch ${identity.batchId} was committed for ${target}, and could not be written there.`,
      "Let the query write there until it has (formerSinks of the construct), or deploy the former sink again.",
      cause,
    );
  }
}

const sinkChanged = (target: string) =>
  userError(
    "sink-changed",
    `A committed batch waits to be published to ${target}, which cannot be opened here.`,
    "Run the former version until it has published what it committed, then the new one.",
  );

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
