export interface StoredObject {
  readonly body: Buffer;
  /** Without quotes. */
  readonly etag: string;
  /** Epoch ms. */
  readonly modified: number;
  /** content-type, content-encoding, cache-control, x-amz-meta-*. */
  readonly headers: Readonly<Record<string, string>>;
  readonly checksums: Readonly<Record<string, string>>;
}

/** Objects by key, and the keys in the order of their UTF-8 bytes, sorted anew only when a list follows a new or deleted key. */
export class Bucket {
  readonly #objects = new Map<string, StoredObject>();
  #sorted: readonly string[] | null = [];

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  set(key: string, object: StoredObject): void {
    if (!this.#objects.has(key)) this.#sorted = null;
    this.#objects.set(key, object);
  }

  delete(key: string): boolean {
    if (!this.#objects.delete(key)) return false;
    this.#sorted = null;
    return true;
  }

  keys(): readonly string[] {
    this.#sorted ??= [...this.#objects.keys()].sort(byUtf8);
    return this.#sorted;
  }

  /** Index in `keys()` of the first key above `after`. */
  firstAbove(after: string): number {
    const keys = this.keys();
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (byUtf8(keys[middle]!, after) > 0) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** UTF-16 order differs from UTF-8 order only where surrogates meet U+E000 … U+FFFF, so bytes are compared only beyond ASCII. */
export function byUtf8(a: string, b: string): number {
  const ascii = /^[\0-\x7f]*$/;
  if (ascii.test(a) && ascii.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
