export interface ListedShard {
  readonly shardId: string;
  readonly parents: readonly string[];
  /** Split or merged: it takes no more records. */
  readonly closed: boolean;
}

/** Those not begun whose parents are processed to their end, or so old that the stream no longer lists them. */
export function runnableShards(
  listed: readonly ListedShard[],
  begun: ReadonlySet<string>,
  drained: ReadonlySet<string>,
): readonly ListedShard[] {
  const known = new Set(listed.map(({ shardId }) => shardId));
  return listed.filter(
    ({ shardId, parents }) => !begun.has(shardId) && parents.every((id) => drained.has(id) || !known.has(id)),
  );
}
