/**
 * Numbers of 56 digits like those of Kinesis, increasing over the whole emulator, so a child shard's are above its parents'.
 * 49 · epoch ms (15) · counter (15) · shard (24).
 */
export interface SequenceNumbers {
  next(shardNumber: number, now: number): string;
  /** Every later number is above this one. */
  atLeast(sequence: string): void;
  /** Not above any later number, not below any earlier one. */
  last(): string;
}

export function createSequenceNumbers(): SequenceNumbers {
  let instant = 0;
  let counter = 0;
  let prefix = "";
  let last = format(0, 0, 0);
  const digits = (value: number, length: number) => String(value).padStart(length, "0");
  return {
    next(shardNumber, now) {
      if (now > instant) {
        instant = now;
        prefix = `49${digits(instant, 15)}`;
      }
      counter += 1;
      last = `${prefix}${digits(counter, 15)}${digits(shardNumber, 24)}`;
      return last;
    },
    atLeast(sequence) {
      if (sequence <= last) return;
      last = sequence;
      instant = Number(sequence.slice(2, 17));
      counter = Number(sequence.slice(17, 32));
      prefix = sequence.slice(0, 17);
    },
    last: () => last,
  };
}

const format = (instant: number, counter: number, shard: number): string =>
  `49${String(instant).padStart(15, "0")}${String(counter).padStart(15, "0")}${String(shard).padStart(24, "0")}`;
