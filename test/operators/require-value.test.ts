import { describe, expect, it } from "vitest";
import { requireValueOperator } from "../../lib/operators/require-value.js";
import { passContext } from "./pass-context.js";

describe("requireValueOperator", () => {
  it("reports what it removes in the name of the operator that implies it", () => {
    const operator = requireValueOperator("agg", "no-event-time", (row) => row["t"] !== null);
    const { context, withoutTime } = passContext();
    operator.beginPass(context);
    const origin = [
      { source: 0, record: 0 },
      { source: 0, record: 1 },
    ];
    expect(operator.process({ rows: [{ t: null }, { t: 1 }], origin }, 0).rows).toEqual([{ t: 1 }]);
    expect(withoutTime).toEqual([{ operatorId: "agg", row: { t: null }, origin: origin[0], reason: "no-event-time" }]);
  });
});
