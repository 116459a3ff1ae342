/** Everything that the two-stage simulator holds a query to, over the union of its partitions. */
export const STAGES_INVARIANTS = [
  "counted-once",
  "nothing-lost",
  "late-by-the-law",
  "watermark-of-one",
  "same-bytes",
  "no-false-gap",
  "no-silent-loss",
  "no-broken-law",
  "progress",
] as const;

export type StagesInvariant = (typeof STAGES_INVARIANTS)[number];

export class StagesViolation extends Error {
  constructor(
    readonly invariant: StagesInvariant,
    message: string,
  ) {
    super(`${invariant}: ${message}`);
    this.name = "StagesViolation";
  }
}
