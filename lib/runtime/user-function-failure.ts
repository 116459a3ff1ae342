import { TidemarkError } from "../errors.js";

/** A throw that the record itself provokes; ours, and those of services, stop the batch as they are. */
export const isUserFailure = (error: unknown): boolean => !(error instanceof TidemarkError) || error.domain === "user";

/**
 * The least n in (low, high] for which `fails(n)`, where n records fail and `low` do not. Where a stateful handler runs over all
 * rows of a key at the end of a pass no throw names its record, so the prefixes are tried: log2(records) more passes, on failure only.
 */
export function firstFailing(low: number, high: number, fails: (records: number) => boolean): number {
  let works = low;
  let broken = high;
  while (broken - works > 1) {
    const middle = works + Math.floor((broken - works) / 2);
    if (fails(middle)) broken = middle;
    else works = middle;
  }
  return broken;
}

/** Whether it fails as a user's function does; any other failure goes on. */
export function throwsAsUser(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch (error) {
    if (!isUserFailure(error)) throw error;
    return true;
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
