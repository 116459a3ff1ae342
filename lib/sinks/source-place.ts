import type { Field } from "../plan/schema.js";

/** Where a record stands, as side outputs name it. */
export interface SourcePlace {
  readonly stream: string;
  readonly shard: string;
  readonly sequence: string;
  readonly sub: number;
}

export const SOURCE_STRUCT: readonly Field[] = Object.freeze([
  { name: "stream", type: "string", nullable: false },
  { name: "shard", type: "string", nullable: false },
  { name: "sequence", type: "string", nullable: false },
  { name: "sub", type: "int", nullable: false },
]);
