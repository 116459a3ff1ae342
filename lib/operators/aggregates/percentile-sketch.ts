import { LogCollapsingLowestDenseDDSketch as BoundedSketch } from "@datadog/sketches-js";

/** Up to so many values are kept as they are, and the answer is exact. */
const FEW = 64;

/** Stored while there are few: the values, in order of arrival. */
type StoredValues = readonly [marker: -1, values: readonly number[]];
/**
 * Of positive and of negative values each, so that a group takes at most 64 KB whatever its values are. At an accuracy of 0.01 they reach over
 * 35 powers of ten, at 0.001 over three and a half; of values spread wider the smallest fall into one bin.
 */
const MAX_BINS = 4_096;

/**
 * Stored beyond: count of zeros, then bins of positive and of negative values as index, count, index, count, …, then the least and the
 * greatest value. States that were stored before these two were kept lack them.
 */
type StoredBins = readonly [
  zeros: number,
  positive: readonly number[],
  negative: readonly number[],
  min?: number,
  max?: number,
];
export type StoredPercentiles = StoredValues | StoredBins;
type Store = BoundedSketch["store"];

/** Percentiles of numbers: exact while they are few, then DDSketch's, never outside what was seen. */
export class PercentileSketch {
  readonly #accuracy: number;
  #values: number[] = [];
  #sketch: BoundedSketch | null = null;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;

  /** @param accuracy relative to the true percentile */
  constructor(accuracy: number) {
    this.#accuracy = accuracy;
  }

  static restore(stored: StoredPercentiles, accuracy: number): PercentileSketch {
    const restored = new PercentileSketch(accuracy);
    if (stored[0] === -1) {
      for (const value of (stored as StoredValues)[1]) restored.add(value);
      return restored;
    }
    const [zeros, positive, negative, min, max] = stored as StoredBins;
    const sketch = restored.#toSketch();
    refill(sketch.store, positive);
    refill(sketch.negativeStore, negative);
    sketch.zeroCount = zeros;
    sketch.count = zeros + sketch.store.count + sketch.negativeStore.count;
    restored.#min = min ?? Number.NEGATIVE_INFINITY;
    restored.#max = max ?? Number.POSITIVE_INFINITY;
    return restored;
  }

  store(): StoredPercentiles {
    const sketch = this.#sketch;
    if (sketch === null) return [-1, this.#values];
    const bins = [sketch.zeroCount, binsOf(sketch.store), binsOf(sketch.negativeStore)] as const;
    return Number.isFinite(this.#min) ? [...bins, this.#min, this.#max] : bins;
  }

  add(value: number): void {
    this.#min = Math.min(this.#min, value);
    this.#max = Math.max(this.#max, value);
    if (this.#sketch === null) this.#values.push(value);
    else this.#sketch.accept(value);
    if (this.#values.length > FEW) this.#toSketch();
  }

  merge(other: PercentileSketch): void {
    if (other.#sketch === null) {
      for (const value of other.#values) this.add(value);
      return;
    }
    this.#toSketch().merge(other.#sketch);
    this.#min = Math.min(this.#min, other.#min);
    this.#max = Math.max(this.#max, other.#max);
  }

  /** Of few, Spark's: the least value that at least this share of all values does not exceed. Null: there are none. */
  at(percentile: number): number | null {
    const sketch = this.#sketch;
    if (sketch !== null)
      return sketch.count === 0
        ? null
        : Math.min(Math.max(sketch.getValueAtQuantile(percentile), this.#min), this.#max);
    if (this.#values.length === 0) return null;
    const ordered = [...this.#values].sort((a, b) => a - b);
    return ordered[Math.max(0, Math.ceil(percentile * ordered.length) - 1)] as number;
  }

  #toSketch(): BoundedSketch {
    if (this.#sketch !== null) return this.#sketch;
    const sketch = new BoundedSketch({ relativeAccuracy: this.#accuracy, binLimit: MAX_BINS });
    for (const value of this.#values) sketch.accept(value);
    this.#values = [];
    this.#sketch = sketch;
    return sketch;
  }
}

const binsOf = (store: Store): number[] => {
  const bins: number[] = [];
  for (let i = 0; i < store.bins.length; i++) {
    const count = store.bins[i]!;
    if (count > 0) bins.push(i + store.offset, count);
  }
  return bins;
};

const refill = (store: Store, bins: readonly number[]): void => {
  for (let i = 0; i < bins.length; i += 2) store.add(bins[i]!, bins[i + 1]!);
};
