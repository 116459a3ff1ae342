/** What a put of several records to a stream needs from outside. */
export interface PutRetries {
  readonly sleep: (ms: number) => Promise<void>;
  /** In [0, 1): jitter between attempts. */
  readonly random: () => number;
}

const MAX_RECORDS = 500;
export const MAX_CALL_BYTES = 4_500_000;
export const PUT_ATTEMPTS = 6;

/** In order, as many as one call of Kinesis takes. */
export function perCall<T>(
  items: readonly T[],
  maxBytes: number,
  sizeOf: (item: T) => number,
): readonly (readonly T[])[] {
  const calls: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const call = calls.at(-1);
    if (call === undefined || call.length === MAX_RECORDS || bytes + size > maxBytes) {
      calls.push([item]);
      bytes = size;
    } else {
      call.push(item);
      bytes += size;
    }
  }
  return calls;
}

/**
 * One call's records. Those that are refused are put again after the others; of a call without an answer all of them.
 * @throws what `unavailable` makes of what is left after the last attempt
 */
export async function putAll<T>(
  put: (records: readonly T[]) => Promise<readonly (string | null)[]>,
  records: readonly T[],
  { sleep, random }: PutRetries,
  unavailable: (left: number, cause: unknown) => Error,
): Promise<void> {
  let left = records;
  let cause: unknown;
  for (let attempt = 0; attempt < PUT_ATTEMPTS; attempt++) {
    if (attempt > 0) await sleep(50 * 2 ** attempt * (0.5 + random() / 2));
    try {
      const codes = await put(left);
      left = left.filter((_, at) => codes[at] !== null);
      cause = codes.find((code) => code !== null);
    } catch (error) {
      cause = error;
    }
    if (left.length === 0) return;
  }
  throw unavailable(left.length, cause);
}
