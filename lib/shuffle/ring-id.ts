import { keySegment } from "../sinks/output-keys.js";

/**
 * The partition id of a source shard's ring. No number is a prefix of it, so a sweeper of partition 0 never sees its objects, and no
 * name can put a `/` into it (S4) [CS21].
 */
export const ringId = (source: string, shard: string): string => `ring.${keySegment(source)}.${keySegment(shard)}`;
