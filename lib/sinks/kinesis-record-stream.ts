import { type KinesisClient, PutRecordsCommand } from "@aws-sdk/client-kinesis";
import type { RecordStream } from "./kinesis-sink.js";

/** A Kinesis stream as the sink's port. */
export function kinesisRecordStream(client: Pick<KinesisClient, "send">, streamName: string): RecordStream {
  return {
    putRecords: async (records) => {
      const answer = await client.send(
        new PutRecordsCommand({
          StreamName: streamName,
          Records: records.map(({ partitionKey, data }) => ({ PartitionKey: partitionKey, Data: data })),
        }),
      );
      return records.map((_, at) => {
        const record = answer.Records?.[at];
        return record?.SequenceNumber !== undefined ? null : (record?.ErrorCode ?? "NoAnswer");
      });
    },
  };
}
