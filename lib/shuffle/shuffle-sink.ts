import { externalError, internalError } from "../errors.js";
import { MAX_CALL_BYTES, PUT_ATTEMPTS, type PutRetries, perCall, putAll } from "../sinks/put-records.js";
import type { OutboxPart, Sink } from "../sinks/sink.js";
import { decodeHead } from "./shuffle-codec.js";
import type { EntryRecord } from "./shuffle-parts.js";
import type { ShuffleRecord, ShuffleStream } from "./shuffle-stream.js";

export interface ShuffleSinkOptions extends PutRetries {
  readonly stream: ShuffleStream;
}

const KIND = "shuffle";
/** Of the longest partition key. */
const KEY_BYTES = 4;

const bytesOf = ({ data }: { readonly data: Uint8Array }): number => data.byteLength + KEY_BYTES;

/**
 * The records of an entry as staged output of its ring: final bytes, never made anew (S5) [CS14]. Each step of publication is one call, and
 * no call holds two parts of one partition: part j + 1 goes after the acknowledgement of part j (S8) [CS10].
 */
export function shuffleOutbox(records: readonly EntryRecord[]): readonly OutboxPart[] {
  const waves: EntryRecord[][] = [];
  for (const record of records) {
    waves[record.part - 1] ??= [];
    waves[record.part - 1]!.push(record);
  }
  return waves
    .flatMap((wave) => perCall(wave, MAX_CALL_BYTES, bytesOf))
    .flatMap((call) =>
      call.map(({ data }, at): OutboxPart => {
        const joins = at === 0 ? {} : { joins: true as const };
        return { output: "result", sink: KIND, ...joins, bytes: data };
      }),
    );
}

/** The shuffle stream as the result of a ring. At least once: a step that is not known to be done is sent again whole. */
export const shuffleSink = (options: ShuffleSinkOptions): Sink => ({
  kind: KIND,
  stage: () => {
    throw internalError("shuffle-staged", "The records of an entry are made by its ring, not by a sink.");
  },
  publish: (_, parts) =>
    putRecords(
      options,
      parts.map(({ bytes }) => ({ partition: decodeHead(bytes).head.partition, data: bytes })),
    ),
});

/** Records of which no two are of one ring and partition, in any order. */
export async function putRecords(options: ShuffleSinkOptions, records: readonly ShuffleRecord[]): Promise<void> {
  for (const call of perCall(records, MAX_CALL_BYTES, bytesOf))
    await putAll((left) => options.stream.putRecords(left), call, options, unavailable);
}

const unavailable = (left: number, cause: unknown) =>
  externalError(
    "shuffle-unavailable",
    `${left} records to the shuffle stream were refused ${PUT_ATTEMPTS} times.`,
    "They are tried again from the checkpoint. If it stays, give the shuffle stream more shards and check kinesis:PutRecords.",
    cause,
  );
