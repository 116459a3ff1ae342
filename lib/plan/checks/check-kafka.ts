import { refusal } from "../refusals.js";
import type { Check } from "./check.js";

/** Nobody lists a topic's partitions: a source that waits for each of them must be told how many there are. */
export const checkKafka: Check = (node) => {
  if (node.kind !== "source" || node.descriptor.kind !== "kafka") return undefined;
  const { across, partitions } = node.descriptor;
  return partitions === undefined && (across === "auto" || across === "min")
    ? refusal("kafka-partitions-unknown", `kafka({ topic: '${node.descriptor.topic}', across: '${across}' })`)
    : undefined;
};
