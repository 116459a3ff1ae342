/** Numbers at 8 bytes each, to be sorted once: a plain array of as many would take three times that. */
export class NumberList {
  #values = new Float64Array(1024);
  #length = 0;
  #sorted = false;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Float64Array(this.#length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
    this.#sorted = false;
  }

  /** Ascending. A view: it holds until the next `push`. */
  sorted(): Float64Array {
    const view = this.#values.subarray(0, this.#length);
    if (!this.#sorted) view.sort();
    this.#sorted = true;
    return view;
  }
}

/** The place of the first of ascending `values` that is `value` or more; their number if none is. */
export function firstFrom(values: Float64Array, value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
