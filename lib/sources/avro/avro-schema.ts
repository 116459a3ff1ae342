import avsc from "avsc";
import { userError } from "../../errors.js";
import { Undecodable } from "../decoded-values.js";
import type { AvroBytes } from "./avro-bytes.js";
import { type LogicalAttributes, logicalReader } from "./avro-logical.js";

/** A schema as its JSON text, or parsed. */
export type AvroSchema = string | object;

export interface AvroOptions {
  /** Whether logical types are read as what they mean; true by default. False gives the numbers and bytes below them. */
  readonly logicalTypes?: boolean;
}

type Read = (from: AvroBytes) => unknown;

/** avsc knows names, namespaces and references; what is read, and how, is said here. */
class Logical extends avsc.types.LogicalType {
  readonly attributes: LogicalAttributes & { readonly logicalType: string };

  constructor(schema: avsc.Schema, options?: unknown) {
    super(schema, options);
    this.attributes = schema as unknown as Logical["attributes"];
  }
}

const LOGICAL_TYPES = Object.fromEntries(
  [
    "decimal",
    "date",
    ...["millis", "micros", "nanos"].flatMap((unit) => [`timestamp-${unit}`, `local-timestamp-${unit}`]),
  ].map((name) => [name, Logical]),
);

/** @throws `option-invalid` */
export function avroRowReader(schema: AvroSchema, { logicalTypes = true }: AvroOptions): Read {
  let type: avsc.Type;
  try {
    const json = typeof schema === "string" ? JSON.parse(schema) : structuredClone(schema);
    type = avsc.Type.forSchema(json, { wrapUnions: true, ...(logicalTypes ? { logicalTypes: LOGICAL_TYPES } : {}) });
  } catch (cause) {
    throw userError("option-invalid", "The Avro schema cannot be read.", "Give the writer's schema as JSON.", cause);
  }
  const rows = isUnion(type) ? type.types : [type];
  if (!rows.every(({ typeName }) => typeName === "record" || (isUnion(type) && typeName === "null")))
    throw userError("option-invalid", "The Avro schema is not that of a record.", "Give the schema of a record.");
  return reader(type, new Map());
}

const isUnion = (type: avsc.Type): type is avsc.types.WrappedUnionType => type.typeName === "union:wrapped";

const NESTING: ReadonlySet<string> = new Set(["record", "array", "map"]);

/** A record may hold itself, so its reader is known before its fields are. */
function reader(type: avsc.Type, known: Map<avsc.Type, Read>): Read {
  const found = known.get(type);
  if (found !== undefined) return found;
  let read: Read = () => undefined;
  known.set(type, NESTING.has(type.typeName) ? (from) => from.within(() => read(from)) : (from) => read(from));
  read = readerOf(type, known);
  return known.get(type)!;
}

function readerOf(type: avsc.Type, known: Map<avsc.Type, Read>): Read {
  if (type instanceof Logical) {
    const read = reader(type.underlyingType, known);
    const { attributes } = type;
    const meaning = logicalReader(attributes.logicalType, type.underlyingType.typeName, attributes);
    return meaning === undefined ? read : (from) => meaning(plain(type.underlyingType, from) ?? read(from));
  }
  if (isUnion(type)) {
    const branches = type.types.map((branch) => reader(branch, known));
    return (from) => {
      const branch = branches[Number(from.long())];
      if (branch === undefined) throw new Undecodable("a union has no such branch");
      return branch(from);
    };
  }
  switch (type.typeName) {
    case "record": {
      const fields = (type as avsc.types.RecordType).fields.map(
        (field) => [field.name, reader(field.type, known)] as const,
      );
      return (from) => Object.fromEntries(fields.map(([name, read]) => [name, read(from)]));
    }
    case "array": {
      const read = reader((type as avsc.types.ArrayType).itemsType, known);
      return (from) => {
        const items: unknown[] = [];
        from.blocks(() => items.push(read(from)));
        return items;
      };
    }
    case "map": {
      const read = reader((type as unknown as { readonly valuesType: avsc.Type }).valuesType, known);
      return (from) => {
        const entries: [string, unknown][] = [];
        from.blocks(() => entries.push([from.string(), read(from)]));
        return Object.fromEntries(entries);
      };
    }
    case "enum": {
      const { symbols } = type as avsc.types.EnumType;
      return (from) => {
        const symbol = symbols[from.int()];
        if (symbol === undefined) throw new Undecodable("an enum has no such symbol");
        return symbol;
      };
    }
    case "bytes":
    case "fixed":
      return (from) => plain(type, from)!.toString("base64");
    default:
      return PRIMITIVES[type.typeName as keyof typeof PRIMITIVES];
  }
}

const plain = (type: avsc.Type, from: AvroBytes) => {
  if (type.typeName === "bytes") return from.bytes();
  return type.typeName === "fixed" ? from.fixed((type as avsc.types.FixedType).size) : undefined;
};

const PRIMITIVES = {
  null: () => null,
  boolean: (from: AvroBytes) => from.boolean(),
  int: (from: AvroBytes) => from.int(),
  long: (from: AvroBytes) => from.long(),
  float: (from: AvroBytes) => from.float(),
  double: (from: AvroBytes) => from.double(),
  string: (from: AvroBytes) => from.string(),
} as const;
