import { ScanCommand } from "@aws-sdk/client-dynamodb";
import type { Context } from "aws-lambda";
import { expect, it } from "vitest";
import { col, columns, double, dynamodb, kafka, readStream, when } from "../../lib/index.js";
import { type QueryHandler, queryHandler } from "../../lib/lambda.js";
import { deployedStack } from "./deployed-stack.js";

const deployed = deployedStack();
const context = { getRemainingTimeInMillis: () => 60_000, awsRequestId: "1" } as Context;
const readings = readStream(kafka({ topic: "readings", schema: columns({ sensor: double() }) }));
const event = (...payloads: readonly string[]) => ({
  eventSource: "aws:kafka",
  records: {
    "readings-0": payloads.map((text, offset) => ({
      topic: "readings",
      partition: 0,
      offset,
      timestamp: 1_700_000_000_000,
      value: Buffer.from(text).toString("base64"),
    })),
  },
});

const huge = col("sensor").times(1e308);

it.each([
  ["null", '{"sensor":null}', readings],
  [
    "NaN",
    '{"sensor":-100}',
    readings.withColumn("sensor", when(col("sensor").lt(0), huge.minus(huge)).otherwise(col("sensor"))),
  ],
])(
  "refuses a number's key that is %s before the commit, and loses nothing once the query filters it",
  async (what, wrong, keyed) => {
    const table = `sensors-${what}`;
    await deployed.stack.createTable(table, [{ name: "sensor", type: "N" }]);
    const stored = async () => {
      const { Items } = await deployed.stack.clients.dynamodb.send(new ScanCommand({ TableName: table }));
      return (Items ?? []).map((item) => item["sensor"]?.N).toSorted();
    };
    const write = { queryName: table, outputMode: "append", sink: dynamodb({ table, key: ["sensor"] }) } as const;
    const batch = event('{"sensor":1}', wrong, '{"sensor":2}');

    const handler = queryHandler(keyed.writeStream(write)) as QueryHandler;
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(handler(batch, context)).rejects.toMatchObject({
        message: expect.stringMatching(/^\[sink-key-value\] The key column 'sensor' .*Filter such rows out/),
      });
    expect(await stored()).toEqual([]);

    const filtered = queryHandler(
      keyed.filter(col("sensor").ge(0)).filter(col("sensor").lt(1e9)).writeStream(write),
    ) as QueryHandler;
    expect(await filtered(batch, context)).toEqual({ batchItemFailures: [] });
    expect(await stored()).toEqual(["1", "2"]);
  },
);
