import {
  DescribeStreamSummaryCommand,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type KinesisClient,
  ListShardsCommand,
  PutRecordsCommand,
} from "@aws-sdk/client-kinesis";

export interface DemoRecord {
  readonly partitionKey: string;
  readonly data: string;
}

/** Publishes in order, `atOnce` at a time, beginning where the stream ends: what a killed run had published stands already. */
export async function publish(
  kinesis: KinesisClient,
  stream: string,
  records: Iterable<DemoRecord>,
  atOnce: number,
  published: (count: number) => void,
  pause: () => Promise<void>,
): Promise<void> {
  let skip = await streamLength(kinesis, stream);
  let sent = skip;
  published(sent);
  let batch: DemoRecord[] = [];
  const send = async () => {
    if (batch.length === 0) return;
    const answer = await kinesis.send(
      new PutRecordsCommand({
        StreamName: stream,
        Records: batch.map(({ partitionKey, data }) => ({ PartitionKey: partitionKey, Data: Buffer.from(data) })),
      }),
    );
    if (answer.FailedRecordCount) throw new Error(`${answer.FailedRecordCount} records were not taken by ${stream}.`);
    sent += batch.length;
    batch = [];
    published(sent);
    await pause();
  };
  for (const record of records) {
    if (skip > 0) {
      skip -= 1;
      continue;
    }
    batch.push(record);
    if (batch.length === atOnce) await send();
  }
  await send();
}

/** Records in the stream, counted by reading it: Kinesis has no such number. */
export async function streamLength(kinesis: KinesisClient, stream: string): Promise<number> {
  await kinesis.send(new DescribeStreamSummaryCommand({ StreamName: stream }));
  const { Shards = [] } = await kinesis.send(new ListShardsCommand({ StreamName: stream }));
  let length = 0;
  for (const { ShardId } of Shards) {
    const start = await kinesis.send(
      new GetShardIteratorCommand({ StreamName: stream, ShardId, ShardIteratorType: "TRIM_HORIZON" }),
    );
    for (let iterator = start.ShardIterator; iterator !== undefined; ) {
      const page = await kinesis.send(new GetRecordsCommand({ ShardIterator: iterator, Limit: 10_000 }));
      length += page.Records?.length ?? 0;
      iterator = page.MillisBehindLatest === 0 ? undefined : page.NextShardIterator;
    }
  }
  return length;
}
