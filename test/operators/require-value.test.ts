import { describe, expect, it } from "vitest";
import { requireValueOperator } from "../../lib/operators/require-value.js";
import { onRow, placed } from "./batches.js";
import { passContext } from "./pass-context.js";

describe("requireValueOperator", () => {
  it("reports what it removes in the name of the operator that implies it", () => {
    const operator = requireValueOperator(
      "agg",
      "no-event-time",
      onRow((row) => row["t"] !== null),
    );
    const { context, withoutTime } = passContext();
    operator.beginPass(context);
    expect(operator.process(placed([{ t: null }, { t: 1 }]), 0).rows()).toEqual([{ t: 1 }]);
    expect(withoutTime).toEqual([
      { operatorId: "agg", row: { t: null }, origin: { source: 0, record: 0 }, reason: "no-event-time" },
    ]);
  });
});
