import { App, Stack } from "aws-cdk-lib";
import { Match, Template } from "aws-cdk-lib/assertions";
import { Bucket } from "aws-cdk-lib/aws-s3";
import { describe, expect, it } from "vitest";
import { type CatalogOptions, QueryCatalog } from "../../infra/query-catalog.js";
import type { DeployableQuery } from "../../infra/query-sources.js";
import {
  columns,
  count,
  delta,
  dynamodb,
  json,
  kinesis,
  readStream,
  type SinkDescriptor,
  s3,
  string,
  timestamp,
  window,
} from "../../lib/index.js";
import { synthesise } from "./support.js";

const View = columns({ eventTime: timestamp(), userAgent: string(), more: json() });
const views = readStream(kinesis({ stream: "page-views", schema: View })).withWatermark("eventTime", "10 minutes");
const writing = (sink: SinkDescriptor) =>
  views
    .groupBy(window("eventTime", "5 minutes"), "userAgent")
    .agg({ views: count() })
    .writeStream({ queryName: "page-views.5min", outputMode: "append", sink });
function catalogOf(
  sink: SinkDescriptor,
  options: CatalogOptions = {},
  query: DeployableQuery = writing(sink),
): Template {
  const stack = new Stack(new App(), "Test");
  const bucket = Bucket.fromBucketName(stack, "Bucket", "own");
  new QueryCatalog(stack, "Catalog", { query, bucket, ...options });
  return Template.fromStack(stack);
}

describe("catalog: true", () => {
  it("makes a database, and tables of results, late and malformed rows", () => {
    const { template, construct } = synthesise({ query: writing(s3({ prefix: "out" })), catalog: true });
    expect(construct.catalog?.tables).toHaveLength(3);
    template.hasResourceProperties("AWS::Glue::Database", { DatabaseInput: { Name: "page_views_5min" } });
    const tables = Object.values(template.findResources("AWS::Glue::Table")).map(({ Properties }) => Properties);
    expect(tables.map(({ TableInput }) => TableInput.Name)).toEqual([
      "page_views_5min",
      "page_views_5min_late",
      "page_views_5min_malformed",
    ]);
    expect(tables[1].TableInput.StorageDescriptor.Columns[0]).toEqual({ Name: "row", Type: "string" });
  });

  it("projects days and asks for the incarnation, in the folders that the sink writes", () => {
    const template = catalogOf(s3({ prefix: "out", bucket: "lake" }));
    template.hasResourceProperties("AWS::Glue::Table", {
      TableInput: {
        Name: "page_views_5min",
        PartitionKeys: [
          { Name: "incarnation", Type: "string" },
          { Name: "dt", Type: "string" },
        ],
        Parameters: {
          classification: "json",
          compressionType: "gzip",
          "projection.enabled": "true",
          "projection.incarnation.type": "injected",
          "projection.dt.type": "date",
          "projection.dt.format": "yyyy-MM-dd",
          "projection.dt.range": "1970-01-01,NOW+1YEARS",
          "storage.location.template": `s3://lake/out/page-views~2E5min/\${incarnation}/dt=\${dt}/`,
        },
        StorageDescriptor: {
          Location: "s3://lake/out/page-views~2E5min/",
          Columns: [
            { Name: "window", Type: "struct<start:string,end:string>" },
            { Name: "useragent", Type: "string" },
            { Name: "views", Type: "bigint" },
          ],
          SerdeInfo: { SerializationLibrary: "org.openx.data.jsonserde.JsonSerDe" },
        },
      },
    });
  });

  it("reads Parquet with its own types, from a day on, in a database that exists", () => {
    const template = catalogOf(s3({ format: "parquet" }), { database: "analytics", from: "2024-01-01" });
    template.resourceCountIs("AWS::Glue::Database", 0);
    template.hasResourceProperties("AWS::Glue::Table", {
      DatabaseName: "analytics",
      TableInput: {
        Parameters: Match.objectLike({ classification: "parquet", "projection.dt.range": "2024-01-01,NOW+1YEARS" }),
        StorageDescriptor: {
          Columns: Match.arrayWith([{ Name: "window", Type: "struct<start:timestamp,end:timestamp>" }]),
        },
      },
    });
    expect(() => catalogOf(s3(), { from: "yesterday" })).toThrow("[option-invalid]");
  });

  it("leaves a Delta table to its own log, and has no table of results for a sink that is not in S3", () => {
    catalogOf(delta({ path: "tables/views", bucket: "lake" })).hasResourceProperties("AWS::Glue::Table", {
      TableInput: {
        Name: "page_views_5min",
        Parameters: Match.objectLike({ table_type: "DELTA" }),
        StorageDescriptor: Match.objectLike({ Location: "s3://lake/tables/views/" }),
      },
    });
    const table = dynamodb({ table: "t", key: ["userAgent", "window"] });
    catalogOf(table).resourceCountIs("AWS::Glue::Table", 2);
  });

  it("refuses columns that Glue would take for one", () => {
    const twice = readStream(kinesis({ stream: "s", schema: columns({ a: string(), A: string() }) })).writeStream({
      queryName: "twice",
      outputMode: "append",
      sink: s3(),
    });
    expect(() => catalogOf(s3(), {}, twice)).toThrow("[catalog-columns]");
  });
});
