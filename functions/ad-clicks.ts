import { columns, kinesis, readStream, s3, string, timestamp } from "../lib/index.js";
import { queryHandler } from "../lib/lambda.js";

const Impression = columns({ shownAt: timestamp(), adId: string(), campaign: string() });
const Click = columns({ clickedAt: timestamp(), clickedAd: string(), userId: string() });

const impressions = readStream(kinesis({ stream: "impressions", schema: Impression })).withWatermark(
  "shownAt",
  "10 minutes",
);
const clicks = readStream(kinesis({ stream: "clicks", schema: Click })).withWatermark("clickedAt", "20 minutes");

/** Every impression once: with its click if one comes within the hour, with NULLs when none can come any more. */
export const adClicks = impressions
  .join(clicks, {
    type: "leftOuter",
    on: (impression, click) => impression.adId.eq(click.clickedAd),
    within: { from: "0 seconds", to: "1 hour" },
  })
  .writeStream({ queryName: "ad-clicks", outputMode: "append", sink: s3({ prefix: "ad-clicks/" }) });

export const handler = queryHandler(adClicks);
