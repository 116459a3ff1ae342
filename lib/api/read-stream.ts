import { userError } from "../errors.js";
import { sourceNode, staticNode } from "../plan/nodes.js";
import type { Row } from "../plan/schema.js";
import type { Columns, RowOf } from "./column-type.js";
import type { ColumnsSchema } from "./columns.js";
import { DataStream } from "./data-stream.js";
import type { SourceDescriptor } from "./descriptors.js";
import { type ColumnsOf, engineSchema, isColumnsSchema, type SourceSchema } from "./source-schema.js";

/**
 * The rows of a source, as a stream to build a query on.
 *
 * @example
 * readStream(kinesis({ stream: "page-views", schema: columns({ eventTime: timestamp(), page: string() }) }))
 * @example
 * readStream(kinesis({ stream: "page-views", schema: z.object({ eventTime: z.iso.datetime(), page: z.string() }) }))
 * @throws `option-invalid` where the source names no stream, topic or itself, or its schema is none
 */
export function readStream<Schema extends SourceSchema>(
  source: SourceDescriptor<Schema>,
): DataStream<ColumnsOf<Schema>, never, "none"> {
  const { schema, ...options } = source;
  requireOption("schema", schema, schema?.["~standard"] !== undefined);
  // Shards are keyed by `source/shard`.
  requireOption(
    `${source.kind} source name`,
    source.name,
    typeof source.name === "string" && source.name !== "" && !source.name.includes("/"),
  );
  const declared = isColumnsSchema(schema);
  const validate = `schema:${source.name}`;
  const descriptor = declared ? options : { ...options, validate };
  return new DataStream({
    plan: sourceNode(source.name, descriptor, engineSchema(schema)),
    functions: declared ? {} : { [validate]: schema },
  });
}

/** For those whom no compiler tells. */
function requireOption(name: string, value: unknown, fits: boolean): void {
  if (fits) return;
  throw userError(
    "option-invalid",
    `The option ${name} cannot be ${JSON.stringify(value)}.`,
    'Write kinesis({ stream: "…", schema: columns({ … }) }), or any Standard Schema (zod, valibot, arktype) for the columns. A name has no slash.',
  );
}

/** A fixed table: its rows go into the query's own text, so it should be small. */
export interface TableOptions<S extends Columns> {
  readonly name: string;
  readonly schema: ColumnsSchema<S>;
  /** A column that a row lacks is null. */
  readonly rows: readonly { readonly [Name in keyof S]?: S[Name]["value"] }[];
}

/**
 * A fixed table, for the right side of a join with a stream: a lookup by key, stateless, in which no row is late (SEMANTICS F13).
 * Its rows are part of the query. Times in them are epoch milliseconds.
 *
 * @example stream.join(readTable({ name: "pages", schema: columns({ page: string(), section: string() }), rows }), { using: ["page"] })
 */
export function readTable<S extends Columns>(table: TableOptions<S>): DataStream<S, never, "none"> {
  const names = table.schema.schema.fields.map(({ name }) => name);
  const complete = (row: Readonly<Record<string, unknown>>): Row =>
    Object.freeze(Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
  const rows = Object.freeze(table.rows.map((row) => complete(row as RowOf<S>)));
  return new DataStream({
    plan: staticNode(table.name, { kind: "table", rows }, table.schema.schema),
    functions: {},
  });
}
