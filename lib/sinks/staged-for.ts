import { userError } from "../errors.js";
import type { OutboxPart } from "./sink.js";

/**
 * The parts, if they were staged for this kind of sink. The runtime gives each to its own; a sink that gets another's says so.
 * @throws `sink-changed`
 */
export function stagedFor(kind: string, parts: readonly OutboxPart[]): readonly OutboxPart[] {
  const other = parts.find((part) => part.sink !== kind);
  if (other === undefined) return parts;
  throw userError(
    "sink-changed",
    `A committed batch waits to be published to the sink "${other.sink}", and the query now writes to "${kind}".`,
    "Run the former version until it has published what it committed, then the new one.",
  );
}
