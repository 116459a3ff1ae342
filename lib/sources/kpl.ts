import { createHash } from "node:crypto";
import { readProtobuf } from "./protobuf-reader.js";

/** A user record inside an aggregate, in the producer's order. `data` is a view of the aggregate's bytes. */
interface KplUserRecord {
  readonly partitionKey: string;
  readonly data: Uint8Array;
}

const MAGIC = [0xf3, 0x89, 0x9a, 0xc2] as const;
const DIGEST_BYTES = 16;
const NO_BYTES = new Uint8Array(0);

export const isAggregate = (payload: Uint8Array): boolean =>
  payload[0] === MAGIC[0] && payload[1] === MAGIC[1] && payload[2] === MAGIC[2] && payload[3] === MAGIC[3];

/**
 * The user records of a Kinesis Producer Library aggregate (magic number, protobuf, MD5); null if the payload is none, in which case it
 * is one record as it stands. Nothing in the format is compressed: a user record costs at least 6 bytes of the aggregate, so its size bounds
 * the records that come out. All sub-records are kept, those of another shard's hash range included: after a reshard dropping them loses data.
 */
export function deaggregate(payload: Uint8Array): readonly KplUserRecord[] | null {
  if (!isAggregate(payload) || payload.byteLength < MAGIC.length + DIGEST_BYTES) return null;
  const message = payload.subarray(MAGIC.length, payload.byteLength - DIGEST_BYTES);
  const digest = createHash("md5").update(message).digest();
  if (!digest.equals(payload.subarray(payload.byteLength - DIGEST_BYTES))) return null;

  const partitionKeys: string[] = [];
  const records: { keyIndex: number; data: Uint8Array }[] = [];
  const wellFormed = readProtobuf(message, (field) => {
    if (field.bytes === null) return true;
    if (field.number === 1) partitionKeys.push(new TextDecoder().decode(field.bytes));
    if (field.number !== 3) return true;
    const record = readRecord(field.bytes);
    if (record === null) return false;
    records.push(record);
    return true;
  });
  if (!wellFormed) return null;

  const users: KplUserRecord[] = [];
  for (const { keyIndex, data } of records) {
    const partitionKey = partitionKeys[keyIndex];
    if (partitionKey === undefined) return null;
    users.push({ partitionKey, data });
  }
  return users;
}

/** Both fields are required by the format. */
function readRecord(message: Uint8Array): { keyIndex: number; data: Uint8Array } | null {
  let keyIndex = -1;
  let data: Uint8Array = NO_BYTES;
  let hasData = false;
  const wellFormed = readProtobuf(message, (field) => {
    if (field.number === 1 && field.bytes === null) keyIndex = field.varint;
    if (field.number === 3 && field.bytes !== null) {
      data = field.bytes;
      hasData = true;
    }
    return true;
  });
  return wellFormed && hasData && keyIndex >= 0 ? { keyIndex, data } : null;
}
