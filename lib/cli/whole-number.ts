import { UsageError } from "./command.js";

export function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new UsageError(`${option} takes a whole number above 0, not '${text}'.`);
}
