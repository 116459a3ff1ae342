import type { ShardInfo, ShardRegister } from "../checkpoint/registers.js";
import type { Row } from "../plan/schema.js";

/** What every record of the shuffle stream says first (docs/design/partitions.md S6). */
interface RecordHead {
  readonly format: 1;
  readonly query: string;
  readonly incarnation: string;
  /** Of the code that committed the entry, or sent the tick. */
  readonly generation: number;
  readonly partition: number;
}

/** One part of what one entry of a ring holds for one partition. */
export interface EntryHead extends RecordHead {
  readonly source: string;
  readonly shard: string;
  /** The entry. Parts of one entry and partition are numbered from 1 to `parts`. */
  readonly batchId: number;
  readonly part: number;
  readonly parts: number;
  /** How many rows this part holds, over all inputs. */
  readonly rows: number;
  /** In the first entry of a child's ring: by parent shard, the entry of its ring that stood published (S7). */
  readonly heads?: Readonly<Record<string, number>>;
}

/** What a look at one listed shard found, after what its ring held was published (S10). */
export interface RingLook {
  /** The ring's last entry; 0: it has none. */
  readonly head: number;
  /** The shard holds nothing unread that arrived before this instant, epoch ms. */
  readonly readThrough?: number;
  /** The shard is closed and read to its end. */
  readonly closed?: true;
}

/** Once a minute to every partition. Not numbered and not remembered: what it says stays true. */
export interface TickRecord extends RecordHead {
  /** Epoch ms at which its sources were listed. */
  readonly instant: number;
  /** The query's last tick: all that waits comes out. */
  readonly drain?: true;
  /** By source. */
  readonly lists: Readonly<Record<string, readonly ShardInfo[]>>;
  /** By source, by shard. */
  readonly rings: Readonly<Record<string, Readonly<Record<string, RingLook>>>>;
}

/** Where a row came from; what late and malformed outputs name. */
export interface RowOrigin {
  /** Decimal digits. */
  readonly sequence: string;
  readonly sub: number;
  /** Epoch ms; null where the source has none. */
  readonly arrival: number | null;
}

/** Rows of one input of the cut, in the order of their arrival. */
export interface InputRows {
  /** The source's name after the number of the reading, which a redeploy must not change (`readings` of the fingerprint). */
  readonly input: string;
  readonly rows: readonly Row[];
  readonly origins: readonly RowOrigin[];
}

/** In the last part of an entry: what its ring knew as the entry left it (S6). */
export interface Marker {
  readonly register: ShardRegister;
  /** Epoch ms: newest arrival of the entry's records; dates rows without time. Null where the source tells none. */
  readonly newestArrival: number | null;
  /** In a ring's first entry: the shards of its source (S7). */
  readonly list?: readonly ShardInfo[];
}

export interface EntryBody {
  /** For side outputs: stream, topic or file. */
  readonly stream: string;
  readonly inputs: readonly InputRows[];
  /** In the last part alone. */
  readonly marker: Marker | null;
}

export const isTick = (head: EntryHead | TickRecord): head is TickRecord => "instant" in head;
