import type { Deployment } from "./deployment.js";
import { queryProbe } from "./query-probe.js";
import type { Report } from "./report.js";

const impression = (time: string, adId: string) =>
  JSON.stringify({ shownAt: `2026-01-15T${time}:00.000Z`, adId, campaign: "spring" });
const click = (time: string, clickedAd: string) =>
  JSON.stringify({ clickedAt: `2026-01-15T${time}:00.000Z`, clickedAd, userId: "u1" });

/** A left outer join of two streams, each with a mapping of its own onto one function and one state. */
export async function checkAdClicks(deployment: Deployment, report: Report): Promise<void> {
  const probe = queryProbe(deployment, deployment.query("TidemarkAdClicks"), "ad-clicks/");
  await probe.put("impressions", "k", [impression("12:00", "a"), impression("12:01", "b"), impression("12:02", "c")]);
  await probe.put("clicks", "k", [click("12:30", "a"), click("14:30", "b")]);
  await probe.consumed(5);
  await probe.command("drain");
  const joined = (await probe.rows("")).map(({ adId, userId }) => `${adId} ${userId ?? "nobody"}`);
  report.equal("a click within the hour joins its impression, every other impression stands alone", joined.sort(), [
    "a u1",
    "b nobody",
    "c nobody",
  ]);
  report.equal("no line of level ERROR in the log", (await probe.logs()).errors, []);
}
