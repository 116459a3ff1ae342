import type { Knowledge } from "./commit-ring.js";

/** Rule A1: `published = n · 10⁶ + j`, all of every entry below n and steps 1 … j of n. One number, so that no half of it can be stored alone. */
const STEPS_PER_ENTRY = 1_000_000;

/** Steps of one entry: j must stay below the next n. */
export const MAX_STEPS = STEPS_PER_ENTRY - 1;

export const positionOf = ({ knownPub, knownStep }: Pick<Knowledge, "knownPub" | "knownStep">): number =>
  (knownPub + 1) * STEPS_PER_ENTRY + knownStep;

/** Rule A3: a position within n settles every entry below n as well. 0: none was ever stored. */
export function knowledgeAt(published: number): Pick<Knowledge, "knownPub" | "knownStep"> {
  const entry = Math.floor(published / STEPS_PER_ENTRY);
  return entry === 0 ? { knownPub: 0, knownStep: 0 } : { knownPub: entry - 1, knownStep: published % STEPS_PER_ENTRY };
}
