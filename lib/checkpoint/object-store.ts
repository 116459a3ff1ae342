/** Immutable objects under unique keys (protocol.md rule 1). Implementations: memory, S3, directory; `test/contract/object-store.ts` is the law. */
export interface ObjectStore {
  put(
    key: string,
    bytes: Uint8Array,
    options?: { readonly contentType?: string; readonly contentEncoding?: string },
  ): Promise<void>;
  /** null: gone. */
  get(key: string): Promise<Uint8Array | null>;
  /** Missing keys are no error. */
  delete(keys: readonly string[]): Promise<void>;
  /** Names of the folders right below a prefix that ends in a slash, each once. */
  folders(prefix: string): Promise<readonly string[]>;
  /** To the end, with the store's own clock. */
  list(prefix: string): AsyncIterable<{ readonly key: string; readonly modified: number; readonly size: number }>;
}
