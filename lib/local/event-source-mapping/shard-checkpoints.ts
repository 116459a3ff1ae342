import { openAppendLog, replaceLog } from "../append-log.js";

/** How far a shard was processed: its last sequence number, or that it is drained. */
export interface ShardCheckpoints {
  /** Nothing was ever processed. */
  readonly empty: boolean;
  get(shardId: string): ShardCheckpoint | undefined;
  set(shardId: string, checkpoint: ShardCheckpoint): void;
  close(): void;
}

type ShardCheckpoint = { readonly through: string } | { readonly drained: true };

/** In memory without a path. */
export function openShardCheckpoints(path?: string): ShardCheckpoints {
  const byShard = new Map<string, ShardCheckpoint>();
  if (path === undefined) {
    return {
      get empty() {
        return byShard.size === 0;
      },
      get: (shardId) => byShard.get(shardId),
      set: (shardId, checkpoint) => void byShard.set(shardId, checkpoint),
      close: () => {},
    };
  }
  openAppendLog(path, (bytes) => {
    const [shardId, checkpoint] = JSON.parse(bytes.toString("utf8")) as [string, ShardCheckpoint];
    byShard.set(shardId, checkpoint);
  }).close();
  const encode = (entry: readonly [string, ShardCheckpoint]) => Buffer.from(JSON.stringify(entry), "utf8");
  replaceLog(path, [...byShard].map(encode));
  const log = openAppendLog(path, () => {});
  return {
    get empty() {
      return byShard.size === 0;
    },
    get: (shardId) => byShard.get(shardId),
    set(shardId, checkpoint) {
      byShard.set(shardId, checkpoint);
      log.append(encode([shardId, checkpoint]));
    },
    close: () => log.close(),
  };
}
