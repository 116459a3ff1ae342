import { Buffer } from "node:buffer";
import { AvroBytes } from "../sources/avro/avro-bytes.js";
import { type AvroOptions, type AvroSchema, avroRowReader } from "../sources/avro/avro-schema.js";
import { type Decode, type DecodedValue, Undecodable } from "../sources/decoded-values.js";

export type { AvroOptions, AvroSchema } from "../sources/avro/avro-schema.js";

/**
 * Records that are one value of an Avro record schema, in binary and without a frame. What does not read to its last byte is malformed.
 * @example kinesis({ stream: "orders", schema: Order, decode: avro(orderSchema) })
 * @throws `option-invalid` where the schema is none, or not that of a record
 */
export function avro(schema: AvroSchema, options: AvroOptions = {}): Decode {
  const read = avroRowReader(schema, options);
  return (bytes) => whole(bytes, read);
}

export interface SchemaRegistryOptions extends AvroOptions {
  /** The writers' schemas by their ids in the registry. A decoder answers at once, so it asks no registry. */
  readonly schemas: Readonly<Record<number, AvroSchema>>;
}

const FRAME_BYTES = 5;

/**
 * Avro behind the frame of Confluent's registry: a byte 0 and the schema's id in four. A record of an id that is not given is malformed.
 * @example kafka({ topic: "orders", schema: Order, decode: schemaRegistry({ schemas: { 7: first, 12: second } }) })
 * @throws `option-invalid` where a schema is none, or not that of a record
 */
export function schemaRegistry({ schemas, ...options }: SchemaRegistryOptions): Decode {
  const readers = new Map(Object.entries(schemas).map(([id, schema]) => [Number(id), avroRowReader(schema, options)]));
  return (bytes) => {
    if (bytes.length < FRAME_BYTES) throw new Undecodable(`a frame has five bytes, the payload ${bytes.length}`);
    if (bytes[0] !== 0) throw new Undecodable(`the frame begins with ${bytes[0]}, not 0`);
    const id = Buffer.from(bytes.buffer, bytes.byteOffset, FRAME_BYTES).readUInt32BE(1);
    const read = readers.get(id);
    if (read === undefined) throw new Undecodable(`no schema is given for the id ${id}`);
    return whole(bytes.subarray(FRAME_BYTES), read);
  };
}

function whole(bytes: Uint8Array, read: (from: AvroBytes) => unknown): DecodedValue {
  const from = new AvroBytes(bytes);
  const value = read(from);
  from.end();
  return value as DecodedValue;
}
