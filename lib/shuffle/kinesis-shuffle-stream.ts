import { type KinesisClient, PutRecordsCommand } from "@aws-sdk/client-kinesis";
import { explicitHashKey, type ShuffleStream } from "./shuffle-stream.js";

/** @param partitions N of the query */
export function kinesisShuffleStream(
  client: Pick<KinesisClient, "send">,
  streamName: string,
  partitions: number,
): ShuffleStream {
  return {
    putRecords: async (records) => {
      const answer = await client.send(
        new PutRecordsCommand({
          StreamName: streamName,
          Records: records.map(({ partition, data }) => ({
            PartitionKey: String(partition),
            ExplicitHashKey: explicitHashKey(partition, partitions),
            Data: data,
          })),
        }),
      );
      return records.map((_, at) => {
        const record = answer.Records?.[at];
        return record?.SequenceNumber !== undefined ? null : (record?.ErrorCode ?? "NoAnswer");
      });
    },
  };
}
