/** Time comes in from outside: only composition roots make a system clock. */
export interface Clock {
  /** Epoch ms. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
