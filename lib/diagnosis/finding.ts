import type { QueryProgress } from "../runtime/progress.js";

/** Every known way in which a query stalls or goes wrong; docs/doctor.md has a section for each. */
export type Signature =
  | "frozen-watermark"
  | "idle-input"
  | "failing-shard"
  | "lagging-shard"
  | "clock-ahead"
  | "state-grows"
  | "waking-partition"
  | "late-step"
  | "poison-record"
  | "near-timeout"
  | "commit-contention"
  | "publishing-behind"
  | "malformed-share"
  | "no-input";

/** What is the matter, how it shows, and what to do. */
export interface Finding {
  readonly signature: Signature;
  /** `error`: rows are lost or wait without end; `warning`: they soon may. */
  readonly severity: "error" | "warning";
  /** What the finding is about: `source/shard`, an operator; null: the query. */
  readonly subject: string | null;
  /** One sentence with the numbers it was seen by. */
  readonly evidence: string;
  readonly remedy: string;
}

/** A record that a user function threw at, and that is therefore delivered again: what the function's log says. */
export interface FailedRecord {
  readonly source: string;
  readonly shard: string;
  readonly sequence: string;
}

export interface Symptoms {
  /** Oldest first. */
  readonly progress: readonly QueryProgress[];
  /** Epoch ms. */
  readonly now: number;
  /** Oldest first, as often as they came; none where the log is not at hand. */
  readonly failedRecords?: readonly FailedRecord[];
}
