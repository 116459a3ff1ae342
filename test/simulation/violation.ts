/** What must hold, checked when it happens and not only at the end; `docs/exactly-once.md` says what each means. */
export const INVARIANTS = [
  "linear-history",
  "generations",
  "counted-once",
  "retired-when-read",
  "retired-for-good",
  "stops-at-poison",
  "accounting",
  "no-record-lost",
  "no-output-lost",
  "publish-after-commit",
  "published-as-committed",
  "steps-in-order",
  "position-only-rises",
  "published-where-committed",
  "identical-on-repeat",
  "output-kept",
  "named-objects-stand",
  "monotone-watermark",
  "watermark",
  "read-through",
  "brute-force-result",
  "brute-force-late",
  "brute-force-malformed",
  "loads-a-real-state",
  "recoverable",
  "progress",
  "no-broken-law",
] as const;

export type Invariant = (typeof INVARIANTS)[number];

/** An invariant that does not hold. The first of a run is kept, whoever may swallow the throw. */
export class Violation extends Error {
  constructor(
    readonly invariant: Invariant,
    message: string,
  ) {
    super(`${invariant}: ${message}`);
    this.name = "Violation";
  }
}

export interface Judge {
  first: Violation | null;
  note(invariant: Invariant, message: string): void;
  fail(invariant: Invariant, message: string): never;
  check(holds: boolean, invariant: Invariant, message: () => string): void;
}

export function newJudge(): Judge {
  const judge: Judge = {
    first: null,
    note(invariant, message) {
      judge.first ??= new Violation(invariant, message);
    },
    fail(invariant, message) {
      const violation = new Violation(invariant, message);
      judge.first ??= violation;
      throw violation;
    },
    check(holds, invariant, message) {
      if (!holds) judge.fail(invariant, message());
    },
  };
  return judge;
}
