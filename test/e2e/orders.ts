import type { Deployment } from "./deployment.js";
import { queryProbe } from "./query-probe.js";
import type { Report } from "./report.js";

const order = (orderId: string, minute: number) =>
  JSON.stringify({
    orderId,
    placedAt: new Date(Date.UTC(2026, 0, 15, 12, minute)).toISOString(),
    customer: "c1",
    cents: 995,
  });

/** Deduplication across micro-batches and shards: a retry has its own sequence number, and another partition key here. */
export async function checkOrders(deployment: Deployment, report: Report): Promise<void> {
  const probe = queryProbe(deployment, deployment.query("TidemarkOrders"), "orders/");
  await probe.put("orders", "k1", [order("1", 0), order("2", 1), order("1", 0)]);
  await probe.consumed(3);
  await probe.put("orders", "k2", [order("2", 1), order("3", 2)]);
  await probe.consumed(5);
  const ids = (await probe.rows("")).map(({ orderId }) => String(orderId));
  report.equal("each order once, though three were sent twice or more", ids.sort(), ["1", "2", "3"]);
  report.equal("no line of level ERROR in the log", (await probe.logs()).errors, []);
}
