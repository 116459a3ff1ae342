/** One line of the report. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The highest value that is allowed; null: told for comparison. DESIGN's budgets as README and docs/benchmarks.md list them. */
  readonly budget: number | null;
}

export const isMet = ({ value, budget }: Figure): boolean | null => (budget === null ? null : value <= budget);

export function figureLine(figure: Figure): string {
  const { name, value, unit, budget } = figure;
  const verdict = budget === null ? "" : `budget ${number(budget)}  ${isMet(figure) ? "met" : "NOT MET"}`;
  return `${name.padEnd(74)} ${number(value).padStart(9)} ${unit.padEnd(14)} ${verdict}`.trimEnd();
}

const number = (value: number): string =>
  Number.isInteger(value)
    ? value.toLocaleString("en-US")
    : value.toLocaleString("en-US", { maximumSignificantDigits: 3 });

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
