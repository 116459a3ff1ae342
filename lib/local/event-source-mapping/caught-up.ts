/**
 * Answers "is everything that was in the stream when I asked processed?". Each question takes a number; a listing or read that begins
 * later carries at least that number, and only such evidence counts.
 */
interface CaughtUp {
  /** Returns what to call when the listing is in. */
  beginListing(): (shardIds: readonly string[]) => void;
  /** Returns what to call when the read found the tip and all is processed. */
  beginRead(shardId: string): () => void;
  drained(shardId: string): void;
  wait(): Promise<void>;
  /** Settles all that wait. */
  stop(): void;
}

export function createCaughtUp(): CaughtUp {
  let asked = 0;
  let listedAt = -1;
  let listed: readonly string[] = [];
  const readAt = new Map<string, number>();
  let waiting: { readonly number: number; readonly resolve: () => void }[] = [];

  const check = () => {
    const reached = Math.min(listedAt, ...listed.map((shardId) => readAt.get(shardId) ?? -1));
    for (const { number, resolve } of waiting) if (number <= reached) resolve();
    waiting = waiting.filter(({ number }) => number > reached);
  };
  return {
    beginListing() {
      const number = asked;
      return (shardIds) => {
        listedAt = number;
        listed = shardIds;
        check();
      };
    },
    beginRead(shardId) {
      const number = asked;
      return () => {
        readAt.set(shardId, number);
        check();
      };
    },
    drained(shardId) {
      readAt.set(shardId, Number.POSITIVE_INFINITY);
      check();
    },
    wait() {
      asked += 1;
      const number = asked;
      return new Promise((resolve) => waiting.push({ number, resolve }));
    },
    stop() {
      for (const { resolve } of waiting) resolve();
      waiting = [];
    },
  };
}
