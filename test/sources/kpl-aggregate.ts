import { createHash } from "node:crypto";

export const varint = (value: number): number[] => {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
};

export const field = (number: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([number * 8 + 2, ...varint(bytes.length)]), bytes]);

export const seal = (message: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([0xf3, 0x89, 0x9a, 0xc2]), message, createHash("md5").update(message).digest()]);

/** What a Kinesis producer library would send for these user records. */
export const aggregate = (records: readonly { partitionKey: string; data: Uint8Array }[]): Buffer => {
  const keys = [...new Set(records.map((record) => record.partitionKey))];
  return seal(
    Buffer.concat([
      ...keys.map((key) => field(1, Buffer.from(key))),
      ...records.map(({ partitionKey, data }) =>
        field(3, Buffer.concat([Buffer.from([8, ...varint(keys.indexOf(partitionKey))]), field(3, data)])),
      ),
    ]),
  );
};
