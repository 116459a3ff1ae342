/** An invariant that does not hold. The first of a run is kept, whoever may swallow the throw. */
export class Violation extends Error {
  constructor(
    readonly invariant: string,
    message: string,
  ) {
    super(`${invariant}: ${message}`);
    this.name = "Violation";
  }
}

export interface Judge {
  first: Violation | null;
  note(invariant: string, message: string): void;
  fail(invariant: string, message: string): never;
  check(holds: boolean, invariant: string, message: () => string): void;
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
