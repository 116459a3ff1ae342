import { parquetWriteBuffer } from "hyparquet-writer";
import { userError } from "../errors.js";
import type { Row, Schema } from "../plan/schema.js";
import type { OutputFormat } from "./output-format.js";
import { parquetElements, parquetValue } from "./parquet-schema.js";

/** Apache Parquet, Snappy within. A room of its own: only a query that asks for it carries the writer. */
export const PARQUET: OutputFormat = Object.freeze({
  extension: "parquet",
  contentType: "application/vnd.apache.parquet",
  encode: parquetBytes,
});

function parquetBytes(rows: readonly Row[], schema: Schema): Uint8Array {
  const { fields, open } = schema;
  if (open || fields.length === 0) {
    throw userError(
      "sink-open-schema",
      "Parquet needs the columns beforehand, and this query's schema is open.",
      "Declare the source with columns(), or end the query with select().",
    );
  }
  return new Uint8Array(
    parquetWriteBuffer({
      schema: [
        { name: "root", num_children: fields.length },
        ...fields.flatMap(({ name, type }) => parquetElements(name, type)),
      ],
      columnData: fields.map(({ name, type }) => ({
        name,
        data: rows.map((row) => parquetValue(row[name], type)),
      })),
      createdBy: "tidemark",
    }),
  );
}
