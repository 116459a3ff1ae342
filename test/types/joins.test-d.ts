import { type Equal, expectType } from "./expect-type.js";
import { purchases, type RowIn, type TimeIn, timedViews, views } from "./streams.js";

const slim = timedViews.select("eventTime", "userId");
const inner = slim.join(purchases, {
  on: (view, purchase) => view.userId.eq(purchase.buyer),
  within: { from: "0 seconds", to: "1 hour" },
});
expectType<
  Equal<
    RowIn<typeof inner>,
    {
      readonly eventTime: number | null;
      readonly userId: string;
      readonly boughtAt: number | null;
      readonly buyer: string | null;
      readonly cents: number | bigint | null;
    }
  >
>();
expectType<Equal<TimeIn<typeof inner>, "eventTime" | "boughtAt">>();

const rightOuter = slim.join(purchases, { type: "rightOuter", on: (l, r) => l.userId.eq(r.buyer) });
expectType<Equal<RowIn<typeof rightOuter>["userId"], string | null>>();

const semi = slim.join(purchases, { type: "leftSemi", on: (l, r) => l.userId.eq(r.buyer) });
expectType<Equal<RowIn<typeof semi>, RowIn<typeof slim>>>();

const using = slim.join(purchases.rename({ buyer: "userId" }), { using: ["userId"] });
expectType<Equal<keyof RowIn<typeof using>, "userId" | "eventTime" | "boughtAt" | "cents">>();

// the only column of a side, or of both, may be what they are joined by
const only = slim.select("userId").join(purchases.rename({ buyer: "userId" }), { using: ["userId"] });
expectType<Equal<keyof RowIn<typeof only>, "userId" | "boughtAt" | "cents">>();
const both = slim
  .select("userId")
  .join(purchases.select({ userId: "buyer" }), { type: "leftOuter", using: ["userId"] });
expectType<Equal<RowIn<typeof both>, { readonly userId: string }>>();

// @ts-expect-error both sides have a column 'userId'
slim.join(purchases.rename({ buyer: "userId" }), { on: (l, r) => l.userId.eq(r.userId) });
// @ts-expect-error no such column on the right
slim.join(purchases, { on: (l, r) => l.userId.eq(r.nope) });
// @ts-expect-error not a column of both
slim.join(purchases, { using: ["cents"] });

// union takes a stream of the same columns
slim.union(slim);
// @ts-expect-error other columns
slim.union(purchases);

// dropDuplicatesWithinWatermark needs a watermark
timedViews.dropDuplicatesWithinWatermark(["userId"]);
// @ts-expect-error dropDuplicatesWithinWatermark() needs withWatermark() before it
views.dropDuplicatesWithinWatermark(["userId"]);
// @ts-expect-error no such column
timedViews.dropDuplicates(["nope"]);
// @ts-expect-error no such column
timedViews.orderBy("nope");
