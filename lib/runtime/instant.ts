/** ISO text in whole milliseconds (SEMANTICS A8); null for what is no instant: nothing seen yet, or beyond every date. */
export function instantOf(ms: number): string | null {
  const whole = Math.floor(ms);
  return Math.abs(whole) <= LAST_DATE ? new Date(whole).toISOString() : null;
}

/** The limit of ECMAScript's dates. */
const LAST_DATE = 8_640_000_000_000_000;
