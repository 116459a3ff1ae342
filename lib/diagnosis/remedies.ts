import type { Signature } from "./finding.js";

/** One text for the page, `tidemark doctor`, the log and the alarms. */
export const REMEDIES: Readonly<Record<Signature, string>> = Object.freeze({
  "frozen-watermark":
    "See which shard the evidence names and whether its records are read: look at the function's errors and at the iterator age.",
  "idle-input":
    "If the input may be silent, send heartbeats into it, or set closeOnIdle; if it should not be, start its producer.",
  "failing-shard":
    "Read the function's log for that shard: a record that a user function throws at, or an error of a service, is delivered again and again.",
  "lagging-shard":
    "Give the function more memory, make its batches larger, or split the shard: its records are read, but slower than the others'.",
  "clock-ahead":
    "Correct the producer's clock, and leave maxFutureSkew on, so that one row from the future cannot make all others late.",
  "state-grows":
    "Give the state an end: a watermark on the column that is grouped, joined or deduplicated by, and append or update mode.",
  "waking-partition":
    "Send heartbeats into the shard while its producer is offline, or lengthen the delay to its longest silence; replay the late rows.",
  "late-step":
    "Find the producer in the late output, see whether it was offline or its clock is wrong, and lengthen the delay if such rows must count.",
  "poison-record":
    'Mend the user function and deploy, or set onError: "malformed", which puts such records into the malformed output.',
  "near-timeout": "Give the function more memory or a longer timeout, or make batchSize smaller.",
  "commit-contention": "Lengthen the batching window or use fewer shards: each lost race repeats a batch.",
  "publishing-behind":
    "See whether the sink is slow or refuses: output that is committed waits in the checkpoint until it is published.",
  "malformed-share": "Read the reason in the malformed output; mend the producer or the schema, and replay.",
  "no-input": "Start the producer, or look whether the event source mapping is enabled.",
});
