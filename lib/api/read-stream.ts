import { userError } from "../errors.js";
import type { SourceConnector } from "../plan/connectors/source-connector.js";
import type { TableConnector } from "../plan/connectors/table-connector.js";
import { sourceNode, staticNode } from "../plan/nodes/nodes.js";
import type { Row } from "../plan/schema.js";
import type { Columns, RowOf } from "./column-type.js";
import type { ColumnsSchema } from "./columns.js";
import { DataStream } from "./data-stream.js";
import type { SourceDescriptor } from "./descriptors.js";
import { functionId } from "./function-ids.js";
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
  const { schema, decode, ...options } = source;
  requireOption("schema", schema, schema?.["~standard"] !== undefined);
  // Shards are keyed by `source/shard`.
  requireOption(
    `${source.kind} source name`,
    source.name,
    typeof source.name === "string" && source.name !== "" && !source.name.includes("/"),
  );
  const declared = isColumnsSchema(schema);
  const validate = functionId(`schema:${source.name}`, schema);
  const decodeId = decode === undefined ? undefined : functionId(`decode:${source.name}`, decode);
  const descriptor = {
    ...options,
    ...(declared ? {} : { validate }),
    ...(decodeId === undefined ? {} : { decode: decodeId }),
  } as SourceConnector;
  return new DataStream({
    plan: sourceNode(source.name, descriptor, engineSchema(schema)),
    functions: {
      ...(declared ? {} : { [validate]: schema }),
      ...(decode === undefined || decodeId === undefined ? {} : { [decodeId]: decode }),
    },
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

/** Where the rows of a fixed table stand: in the query itself, in an S3 object of JSON lines (gzipped or not), or in a DynamoDB table. */
export type TableRows<S extends Columns> =
  | {
      /** Go into the query's own text, so they should be few. A column that a row lacks is null. */
      readonly rows: readonly { readonly [Name in keyof S]?: S[Name]["value"] }[];
    }
  | {
      /** The deployment's own bucket by default. */
      readonly s3: { readonly key: string; readonly bucket?: string };
    }
  | { readonly dynamodb: { readonly table: string } };

/** A fixed table. */
export type TableOptions<S extends Columns> = {
  readonly name: string;
  readonly schema: ColumnsSchema<S>;
} & TableRows<S>;

/**
 * A fixed table, for the right side of a join with a stream: a lookup by key, stateless, in which no row is late (SEMANTICS F13).
 * Inline rows are part of the query, their times epoch milliseconds. A table in S3 or DynamoDB is read whole, once per cold start
 * of a Lambda environment: keep it small, and deploy again to make every environment see a change.
 *
 * @example stream.join(readTable({ name: "pages", schema: columns({ page: string(), section: string() }), rows }), { using: ["page"] })
 * @example readTable({ name: "pages", schema: Page, s3: { key: "tables/pages.jsonl.gz" } })
 * @example readTable({ name: "pages", schema: Page, dynamodb: { table: "pages" } })
 * @throws when the query starts: `table-missing`, `table-row` (a row that does not fit the schema stops the query), `table-too-large`
 */
export function readTable<S extends Columns>(table: TableOptions<S>): DataStream<S, never, "none"> {
  return new DataStream({
    plan: staticNode(table.name, tableDescriptor(table), table.schema.schema),
    functions: {},
  });
}

function tableDescriptor<S extends Columns>(table: TableOptions<S>): TableConnector {
  if ("s3" in table) return Object.freeze({ kind: "s3", ...table.s3 });
  if ("dynamodb" in table) return Object.freeze({ kind: "dynamodb", ...table.dynamodb });
  const names = table.schema.schema.fields.map(({ name }) => name);
  const complete = (row: Readonly<Record<string, unknown>>): Row =>
    Object.freeze(Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
  return { kind: "table", rows: Object.freeze(table.rows.map((row) => complete(row as RowOf<S>))) };
}
