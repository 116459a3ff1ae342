import { columns, long, string, timestamp } from "../../../lib/api/columns.js";
import { kinesis } from "../../../lib/api/descriptors.js";
import { readStream } from "../../../lib/api/read-stream.js";
import type { DefinitionOptions } from "./scenario.js";

export const STREAM = "records";
export const schema = columns({ id: long(), t: timestamp(), k: string() });

export const streamOf = ({ across }: DefinitionOptions, stream = STREAM) =>
  readStream(kinesis({ stream, schema, across }));

/** Of a row as text or as the engine has it. */
export const timeOf = (value: unknown): number => (typeof value === "number" ? value : Date.parse(String(value)));
