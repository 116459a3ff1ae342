import { GetItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import { decodeMeta } from "../../lib/checkpoint/meta-codec.js";
import type { Deployment } from "./deployment.js";
import { metricSum } from "./function-logs.js";
import { eventually, type QueryProbe, queryProbe } from "./query-probe.js";
import type { Report } from "./report.js";

/** Two that do not decode, and a row without its event time. */
const UNDECODABLE = ["not json at all", '{"eventTime":"yesterday","page":"/"}'];
const TIMELESS = { page: "/docs", userId: "u1", durationMs: 5 };

/** The worked example through the deployed stream, then three records that are none. */
export async function checkPageViews(deployment: Deployment, report: Report): Promise<void> {
  const probe = queryProbe(deployment, deployment.query("TidemarkPageViews"), "page-views/");
  const put = (times: readonly string[]) => probe.put("page-views", "reader", times.map(view));

  await put(["12:01", "12:07"]);
  await probe.consumed(2);
  await put(["12:16", "12:03"]);
  await probe.consumed(4);
  const first = await eventually(
    "12:00–12:05 closes",
    async () => {
      await probe.command("tick");
      return probe.rows("");
    },
    (rows) => rows.length > 0,
  );
  report.equal("12:16 closes the window 12:00–12:05 with 2 views", first, [window("12:00", "12:05", 2)]);

  await put(["12:02"]);
  await probe.consumed(5);
  const late = await probe.rows(".late");
  report.equal(
    "12:02 comes after its window and lies in the late output",
    late.map(({ row }) => row),
    [late12h02()],
  );
  report.equal("numRowsDroppedByWatermark counts it", metricSum(await probe.logs(), "numRowsDroppedByWatermark"), 1);

  await probe.put("page-views", "poison", [...UNDECODABLE, JSON.stringify(TIMELESS)]);
  await probe.consumed(8);
  await checkPoison(probe, report);

  await probe.command("drain");
  const results = (await probe.rows("")).map((row) => JSON.stringify(row)).sort();
  const windows = [window("12:00", "12:05", 2), window("12:05", "12:10", 1), window("12:15", "12:20", 1)];
  report.equal("after a drain every window stands once", results, windows.map((row) => JSON.stringify(row)).sort());
  await checkCheckpoint(deployment, probe, report);
  await checkLog(probe, report);
}

async function checkPoison(probe: QueryProbe, report: Report): Promise<void> {
  const malformed = await probe.rows(".malformed");
  const payloads = malformed.flatMap(({ payload }) => (payload === null ? [] : [bytesOf(payload)]));
  report.equal("poison lies in the malformed output as it came", payloads.sort(), [...UNDECODABLE].sort());
  const rows = malformed.flatMap(({ row }) => (row === null ? [] : [row]));
  report.equal("a row without event time lies there as a row", rows, [{ eventTime: null, ...TIMELESS }]);
  const complete = malformed.every(({ reason, detail, source }) => {
    const { shard, sequence } = source as { readonly shard: string; readonly sequence: string };
    return reason !== "" && detail !== "" && /shardId-\d+$/.test(shard) && /^\d+$/.test(sequence);
  });
  report.that(
    "… with reason, detail, shard and sequence number",
    complete,
    malformed.map(({ reason }) => reason).join(", "),
  );
}

async function checkCheckpoint({ dynamodb }: Deployment, probe: QueryProbe, report: Report): Promise<void> {
  const { tableName: TableName, queryName } = probe.query;
  const { Item } = await dynamodb.send(
    new GetItemCommand({ TableName, Key: { pk: { S: queryName }, sk: { S: "meta" } }, ConsistentRead: true }),
  );
  const meta = decodeMeta(Item?.["body"]?.B ?? new Uint8Array());
  report.equal("the checkpoint's generation is the published version", meta.generation, 1);
  const { Count } = await dynamodb.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :slot)",
      ExpressionAttributeValues: { ":pk": { S: `${queryName}#${meta.incarnation}#0` }, ":slot": { S: "slot#" } },
    }),
  );
  const { progress } = await probe.logs();
  report.equal("every commit holds a slot of the ring", Count, Math.min(64, progress.at(-1)?.batchId ?? 0));
}

async function checkLog(probe: QueryProbe, report: Report): Promise<void> {
  const logs = await probe.logs();
  report.equal("no line of level ERROR in the log", logs.errors, []);
  report.equal("metrics count the rows", metricSum(logs, "numInputRows"), 6);
  report.equal("metrics count the malformed records", metricSum(logs, "malformedRows"), UNDECODABLE.length);
  const ids = logs.progress.map(({ batchId }) => batchId);
  report.equal(
    "one progress record per commit",
    ids,
    ids.map((_, i) => i + 1),
  );
}

const bytesOf = (payload: unknown): string => Buffer.from(String(payload), "base64").toString("utf8");
const at = (time: string): string => `2026-01-15T${time}:00Z`;
const view = (time: string): string => JSON.stringify({ eventTime: at(time), page: "/", userId: "u1", durationMs: 10 });
const window = (start: string, end: string, views: number) => ({
  window: { start: at(start), end: at(end) },
  page: "/",
  views,
  dwell: 10 * views,
});
const late12h02 = () => JSON.parse(view("12:02")) as unknown;
