import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { dynamodbCheckpointLog } from "../../lib/checkpoint/dynamodb-checkpoint-log.js";
import { decodeEntry, type LogEntry } from "../../lib/checkpoint/entry-codec.js";
import { decodeMeta } from "../../lib/checkpoint/meta-codec.js";
import { RING_SIZE } from "../../lib/checkpoint/state-partition-ring.js";

export interface CommittedOrder {
  /** Every entry from the first on, once the last look is over. */
  stop(): Promise<readonly LogEntry[]>;
  incarnation(): string;
}

const LOOK_MS = 500;

/** The ring forgets, so its slots are read again and again, past the faults: a gap in what was seen fails the soak. */
export function followCommittedOrder(client: DynamoDBClient, tableName: string, query: string): CommittedOrder {
  const log = dynamodbCheckpointLog({ client, tableName, query, now: () => Date.now() });
  const entries = new Map<number, LogEntry>();
  const slots = Array.from({ length: RING_SIZE }, (_, slot) => slot);
  let incarnation = "";

  const look = async (): Promise<void> => {
    const meta = await log.readMeta();
    if (meta === null) return;
    incarnation = decodeMeta(meta.body).incarnation;
    for (const item of await log.readSlots({ incarnation, partition: 0 }, slots))
      if (item !== null && !entries.has(item.batchId)) entries.set(item.batchId, decodeEntry(item));
  };

  let looking = look();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, LOOK_MS);
  return {
    incarnation: () => incarnation,
    async stop() {
      clearInterval(timer);
      await looking;
      await look();
      const order = [...entries.values()].sort((a, b) => a.batchId - b.batchId);
      const gap = order.findIndex(({ batchId }, at) => batchId !== at + 1);
      if (gap >= 0) throw new Error(`Batch ${gap + 1} was committed and overwritten between two looks.`);
      return order;
    },
  };
}
