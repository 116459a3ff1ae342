import type { Descriptor, SourceNode, StaticNode } from "../logical-plan.js";
import { makeSchema } from "../make-schema.js";
import type { Schema } from "../schema.js";

const checked = (schema: Schema): Schema => makeSchema(schema.fields, schema.open === true);

export const sourceNode = (name: string, descriptor: Descriptor, schema: Schema): SourceNode =>
  Object.freeze({ kind: "source", name, descriptor: Object.freeze(descriptor), schema: checked(schema) });

/** The fixed side of a stream–static join. */
export const staticNode = (name: string, descriptor: Descriptor, schema: Schema): StaticNode =>
  Object.freeze({ kind: "static", name, descriptor: Object.freeze(descriptor), schema: checked(schema) });
