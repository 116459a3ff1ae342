import { isDeepStrictEqual } from "node:util";

/** Checks as they are made; a failed one does not stop the others. */
export interface Report {
  equal(what: string, actual: unknown, expected: unknown): void;
  that(what: string, holds: boolean, detail?: string): void;
  readonly failures: number;
  readonly checks: number;
}

export function consoleReport(write: (line: string) => void): Report {
  let failures = 0;
  let checks = 0;
  const that = (what: string, holds: boolean, detail = ""): void => {
    checks += 1;
    if (!holds) failures += 1;
    write(`  ${holds ? "ok  " : "FAIL"} ${what}${detail === "" ? "" : `: ${detail}`}`);
  };
  return {
    that,
    equal(what, actual, expected) {
      const holds = isDeepStrictEqual(actual, expected);
      that(what, holds, holds ? brief(actual) : `${brief(actual)} instead of ${brief(expected)}`);
    },
    get failures() {
      return failures;
    },
    get checks() {
      return checks;
    },
  };
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
