/** Records of Apache Avro: decoders for the option `decode` of a source. */

export { type AvroOptions, type AvroSchema, avro, type SchemaRegistryOptions, schemaRegistry } from "./api/avro.js";
