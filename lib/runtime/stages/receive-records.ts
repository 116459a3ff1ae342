import { isRetired, type Registers, type RingPosition, shardKey } from "../../checkpoint/registers.js";
import { superseded } from "../../checkpoint/superseded.js";
import { externalError, type TidemarkError, userError } from "../../errors.js";
import { decodeHead } from "../../shuffle/shuffle-codec.js";
import { type EntryHead, isTick, type TickRecord } from "../../shuffle/shuffle-record.js";

/** One record of the shuffle stream with what it says first. */
export interface ShuffledRecord {
  /** Its place in the shuffle stream: decimal digits. */
  readonly sequence: string;
  readonly head: EntryHead | TickRecord;
  /** Packed; empty for a tick. */
  readonly body: Uint8Array;
}

/** Records that are passed over, by reason. */
interface PassedOver {
  /** At or below the position: they came again. */
  readonly repeats: readonly EntryHead[];
  /** Of retired rings: whatever comes of these was consumed once. */
  readonly ancient: readonly EntryHead[];
  /** Of an incarnation before a reset. */
  readonly foreign: number;
}

export interface Received extends PassedOver {
  /** In order, and safe to consume. */
  readonly consumed: readonly ShuffledRecord[];
  /** What does not follow: nothing from it on is consumed. */
  readonly gap: { readonly sequence: string; readonly error: TidemarkError } | null;
}

export interface Reader {
  readonly query: string;
  readonly incarnation: string;
  readonly generation: number;
  readonly partition: number;
}

/** A ring of which nothing was consumed. */
const NOTHING: RingPosition = Object.freeze({ batchId: 0, part: 0, parts: 0, closedAt: null });

export const parseRecord = ({
  sequence,
  data,
}: {
  readonly sequence: string;
  readonly data: Uint8Array;
}): ShuffledRecord => ({
  sequence,
  ...decodeHead(data),
});

/**
 * Which records of one delivery of a partition are consumed (S13, S14). Each is judged by the position as it moves within the delivery:
 * a lost response may have put a record twice into it [CS2].
 * @throws `superseded`, `incarnation-changed`: then nothing of the delivery is consumed
 */
export function receiveRecords(reader: Reader, registers: Registers, records: readonly ShuffledRecord[]): Received {
  const rings = new Map(Object.entries(registers.rings));
  const at = (source: string, shard: string) => rings.get(shardKey(source, shard)) ?? NOTHING;
  const known = { registers, at };
  const consumed: ShuffledRecord[] = [];
  const repeats: EntryHead[] = [];
  const ancient: EntryHead[] = [];
  let foreign = 0;
  let gap: Received["gap"] = null;
  for (const record of records) {
    const { head, sequence } = record;
    if (head.incarnation < reader.incarnation) {
      foreign++;
      continue;
    }
    if (head.incarnation > reader.incarnation) throw incarnationChanged(reader);
    if (head.generation > reader.generation) throw superseded(reader.query, reader.generation);
    if (isTick(head)) {
      const missing = missingOf(head, known);
      if (missing !== null) {
        gap = { sequence, error: shuffleGap(reader, missing) };
        break;
      }
      consumed.push(record);
      continue;
    }
    const key = shardKey(head.source, head.shard);
    const position = at(head.source, head.shard);
    if (isRetired(registers, key)) {
      ancient.push(head);
      continue;
    }
    if (isBehind(head, position)) {
      repeats.push(head);
      continue;
    }
    const missing = follows(head, position) ? missingParent(head, known) : entryText(key, head, position);
    if (missing !== null) {
      gap = { sequence, error: shuffleGap(reader, missing) };
      break;
    }
    rings.set(key, positionAfter(head, position));
    consumed.push(record);
  }
  return { consumed, repeats, ancient, foreign, gap };
}

export const positionAfter = ({ batchId, part, parts }: EntryHead, before: RingPosition | undefined): RingPosition => ({
  batchId,
  part,
  parts,
  closedAt: before?.closedAt ?? null,
});

const isBehind = ({ batchId, part }: EntryHead, position: RingPosition): boolean =>
  batchId < position.batchId || (batchId === position.batchId && part <= position.part);

const isComplete = ({ part, parts }: RingPosition): boolean => part === parts;

/** The next part of the same entry, or the first of the next one, the last one complete (S13) [CS18]. */
const follows = ({ batchId, part }: EntryHead, position: RingPosition): boolean =>
  (batchId === position.batchId && part === position.part + 1) ||
  (batchId === position.batchId + 1 && part === 1 && isComplete(position));

interface Known {
  readonly registers: Registers;
  readonly at: (source: string, shard: string) => RingPosition;
}

const isReached = (head: number, position: RingPosition): boolean =>
  position.batchId > head || (position.batchId === head && isComplete(position));

/** Roll call: an entry that stood published when the tick was sent, and has not come (S14) [CS5, CS20]. */
function missingOf({ rings }: TickRecord, { registers, at }: Known): string | null {
  for (const [source, shards] of Object.entries(rings))
    for (const [shard, { head }] of Object.entries(shards)) {
      const key = shardKey(source, shard);
      if (!isRetired(registers, key) && !isReached(head, at(source, shard)))
        return `a tick names entry ${head} of ${key}, ${placeText(at(source, shard))}`;
    }
  return null;
}

/** A child's first entry names its parents' last: no parent leaves before it is read. */
function missingParent({ source, heads }: EntryHead, { registers, at }: Known): string | null {
  for (const [shard, head] of Object.entries(heads ?? {})) {
    const key = shardKey(source, shard);
    if (!isRetired(registers, key) && !isReached(head, at(source, shard)))
      return `a child's first entry names entry ${head} of ${key}, ${placeText(at(source, shard))}`;
  }
  return null;
}

const placeText = ({ batchId, part, parts }: RingPosition): string =>
  batchId === 0 ? "nothing of it was read" : `read is part ${part} of ${parts} of entry ${batchId}`;

const entryText = (key: string, { batchId, part, parts }: EntryHead, position: RingPosition): string =>
  `part ${part} of ${parts} of entry ${batchId} of ${key} has come, ${placeText(position)}`;

const shuffleGap = ({ query, partition }: Reader, missing: string) =>
  userError(
    "shuffle-gap",
    `A record between the stages of ${query} is lost for partition ${partition}: ${missing}.`,
    "Nothing is skipped by itself. See docs/shuffle-gap.md: the lost rows are still in the ring of their shard, or in the source.",
  );

const incarnationChanged = ({ query }: Reader) =>
  externalError(
    "incarnation-changed",
    `${query} was reset: a record of its new incarnation has come.`,
    "The records come again, and find the checkpoint read anew.",
  );
