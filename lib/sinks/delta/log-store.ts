/** The part of an object store that a table's log needs. Implementations: `s3-log-store`, `memory-log-store`; `test/contract/log-store.ts` is the law. */
export interface LogStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** False: an object stands there, perhaps of an attempt of our own whose answer was lost. */
  putIfAbsent(key: string, bytes: Uint8Array): Promise<boolean>;
  get(key: string): Promise<Uint8Array | null>;
  /** Keys that begin with `prefix` and come after `after`, ascending. */
  list(prefix: string, after: string): Promise<readonly string[]>;
}
