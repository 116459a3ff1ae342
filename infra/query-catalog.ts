import { Aws } from "aws-cdk-lib";
import * as glue from "aws-cdk-lib/aws-glue";
import type * as s3 from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { userError } from "../lib/errors.js";
import { sinksOf } from "../lib/plan/connectors/catalogue.js";
import type { SinkConnector } from "../lib/plan/connectors/sink-connector.js";
import type { Schema } from "../lib/plan/schema.js";
import { LATE_SCHEMA } from "../lib/sinks/late-rows.js";
import { MALFORMED_SCHEMA } from "../lib/sinks/malformed.js";
import { keyPrefix, keySegment } from "../lib/sinks/output-keys.js";
import { glueColumns } from "./glue-columns.js";
import type { DeployableQuery } from "./query-sources.js";

export interface CatalogOptions {
  /** A database that exists; by default one is made, with the query's name. */
  readonly database?: string;
  /** The first day that is looked for, as `2024-01-01`: what lies before it is not found. 1970-01-01 by default, so that nothing is missed. */
  readonly from?: string;
}

export interface QueryCatalogProps extends CatalogOptions {
  readonly query: DeployableQuery;
  /** The deployment's own, for sinks that name none. */
  readonly bucket: s3.IBucket;
}

interface OutputTable {
  readonly name: string;
  readonly location: string;
  readonly schema: Schema;
  readonly format: "jsonl" | "parquet" | "delta";
}

/**
 * Glue tables over what a query writes to S3, for Athena: results, late rows and malformed records. Days and incarnations are projected,
 * so that nothing has to be crawled; a query must name the incarnation, for two of them hold the same rows twice.
 */
export class QueryCatalog extends Construct {
  readonly database: string;
  /** Of the tables, results first. */
  readonly tables: readonly string[];

  constructor(scope: Construct, id: string, { query, bucket, database, from = "1970-01-01" }: QueryCatalogProps) {
    super(scope, id);
    if (!/^\d{4}-\d{2}-\d{2}$/.test(from))
      throw userError("option-invalid", `The catalog cannot begin on '${from}'.`, "Write a day, as in 2024-01-01.");
    this.database = database ?? glueName(query.definition.queryName);
    const made =
      database === undefined
        ? new glue.CfnDatabase(this, "Database", {
            catalogId: Aws.ACCOUNT_ID,
            databaseInput: { name: this.database, description: `Outputs of the query ${query.definition.queryName}` },
          })
        : undefined;
    const tables = outputTables(query, bucket.bucketName);
    for (const table of tables) {
      new glue.CfnTable(this, `Table-${table.name}`, {
        catalogId: Aws.ACCOUNT_ID,
        databaseName: made?.ref ?? this.database,
        tableInput: table.format === "delta" ? deltaTable(table) : projectedTable(table, from),
      });
    }
    this.tables = tables.map(({ name }) => name);
  }
}

/** Glue's names: small letters, digits and `_`. */
const glueName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "_");

/** Of every sink in S3, and beside them the side outputs, which lie where the first sink's would. */
function outputTables({ definition }: DeployableQuery, ownBucket: string): readonly OutputTable[] {
  const { queryName, plan } = definition;
  const folder = keySegment(queryName);
  const name = glueName(queryName);
  const sinks = sinksOf(definition);
  const several = sinks.length > 1;
  const results = sinks.flatMap((sink, at): readonly OutputTable[] => {
    const place = placeOf(sink, ownBucket, folder);
    if (place === null) return [];
    const own = several ? `${name}_${glueName(Object.keys(definition.sinks ?? {})[at]!)}` : name;
    return [{ name: own, schema: plan.schema, ...place }];
  });
  const side = (output: "late" | "malformed", schema: Schema): OutputTable => ({
    name: `${name}_${output}`,
    location: `${sideRoot(sinks[0]!, ownBucket)}${folder}.${output}/`,
    schema,
    format: "jsonl",
  });
  return sinks[0]!.kind === "console"
    ? results
    : [...results, side("late", LATE_SCHEMA), side("malformed", MALFORMED_SCHEMA)];
}

function placeOf(
  sink: SinkConnector,
  ownBucket: string,
  folder: string,
): Pick<OutputTable, "location" | "format"> | null {
  switch (sink.kind) {
    case "s3":
      return { location: `${sideRoot(sink, ownBucket)}${folder}/`, format: sink.format ?? "jsonl" };
    case "delta":
      return { location: `s3://${sink.bucket ?? ownBucket}/${keyPrefix(sink.path)}`, format: "delta" };
    case "dynamodb":
    case "kinesis":
    case "foreachBatch":
    case "console":
    case "memory":
      return null;
  }
}

const sideRoot = (sink: SinkConnector, ownBucket: string): string =>
  sink.kind === "s3" ? `s3://${sink.bucket ?? ownBucket}/${keyPrefix(sink.prefix ?? "")}` : `s3://${ownBucket}/`;

/** A day later than tomorrow is a clock that runs ahead; it is found for a year. */
const LAST_DAY = "NOW+1YEARS";

function projectedTable(
  { name, location, schema, format }: OutputTable,
  from: string,
): glue.CfnTable.TableInputProperty {
  const json = format === "jsonl";
  return {
    name,
    tableType: "EXTERNAL_TABLE",
    partitionKeys: [
      { name: "incarnation", type: "string" },
      { name: "dt", type: "string" },
    ],
    parameters: {
      EXTERNAL: "TRUE",
      classification: json ? "json" : "parquet",
      ...(json ? { compressionType: "gzip" } : {}),
      "projection.enabled": "true",
      "projection.incarnation.type": "injected",
      "projection.dt.type": "date",
      "projection.dt.format": "yyyy-MM-dd",
      "projection.dt.range": `${from},${LAST_DAY}`,
      // Glue's own placeholders, not this language's.
      "storage.location.template": `${location}\${incarnation}/dt=\${dt}/`,
    },
    storageDescriptor: {
      location,
      columns: [...glueColumns(schema, json ? "text" : "native")],
      inputFormat: json
        ? "org.apache.hadoop.mapred.TextInputFormat"
        : "org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat",
      outputFormat: json
        ? "org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat"
        : "org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat",
      serdeInfo: {
        serializationLibrary: json
          ? "org.openx.data.jsonserde.JsonSerDe"
          : "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe",
      },
    },
  };
}

/** Athena reads columns and files from the table's own log. */
const deltaTable = ({ name, location, schema }: OutputTable): glue.CfnTable.TableInputProperty => ({
  name,
  tableType: "EXTERNAL_TABLE",
  parameters: { EXTERNAL: "TRUE", classification: "delta", table_type: "DELTA", "spark.sql.sources.provider": "delta" },
  storageDescriptor: { location, columns: [...glueColumns(schema, "native")] },
});
