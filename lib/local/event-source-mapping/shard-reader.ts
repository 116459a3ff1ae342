import {
  GetRecordsCommand,
  type GetRecordsCommandOutput,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
} from "@aws-sdk/client-kinesis";
import type { MappingWorld } from "./mapping-world.js";
import { backoff } from "./process-batch.js";

export type ReadStart = { readonly after: string } | "TRIM_HORIZON" | "LATEST" | { readonly atTimestamp: Date };

interface ShardPage {
  readonly records: NonNullable<GetRecordsCommandOutput["Records"]>;
  /** Nothing waited behind this page. */
  readonly atTip: boolean;
  /** The shard is closed and read to its end. */
  readonly ended: boolean;
}

const PAGE_RECORDS = 10_000;

/** Reads pages in order. Errors are waited out: an expired iterator is asked for again, after the last record read. */
export function createShardReader(world: MappingWorld, shardId: string, start: ReadStart) {
  const { kinesis, streamName, clock, signal, settings } = world;
  let place = start;
  let iterator: string | undefined;
  /** Null: the mapping stops. */
  const next = async (): Promise<ShardPage | null> => {
    for (let failures = 0; !signal.aborted; ) {
      try {
        iterator ??= (await kinesis.send(new GetShardIteratorCommand(iteratorAt(streamName, shardId, place))))
          .ShardIterator;
        const page = await kinesis.send(new GetRecordsCommand({ ShardIterator: iterator, Limit: PAGE_RECORDS }));
        iterator = page.NextShardIterator;
        const records = page.Records ?? [];
        const last = records.at(-1)?.SequenceNumber;
        if (last !== undefined) place = { after: last };
        return { records, atTip: page.MillisBehindLatest === 0, ended: iterator === undefined };
      } catch (error) {
        if (signal.aborted) return null;
        failures += 1;
        if ((error as Error).name === "ExpiredIteratorException") iterator = undefined;
        else world.onError(error);
        await clock.sleep(backoff(settings.backoffMs, failures), signal);
      }
    }
    return null;
  };
  return { next };
}

function iteratorAt(StreamName: string, ShardId: string, place: ReadStart): GetShardIteratorCommandInput {
  const shard = { StreamName, ShardId };
  if (typeof place === "string") return { ...shard, ShardIteratorType: place };
  if ("after" in place) {
    return { ...shard, ShardIteratorType: "AFTER_SEQUENCE_NUMBER", StartingSequenceNumber: place.after };
  }
  return { ...shard, ShardIteratorType: "AT_TIMESTAMP", Timestamp: place.atTimestamp };
}
