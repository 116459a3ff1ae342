import { describe, expect, it } from "vitest";
import { filterOperator } from "../../lib/operators/filter.js";
import { passContext } from "./pass-context.js";

describe("filterOperator", () => {
  it("removes false and NULL, and counts what it removes in this pass", () => {
    const filter = filterOperator((row) => row["keep"]);
    filter.beginPass(passContext().context);
    const rows = [true, false, null, true].map((keep) => ({ keep }));
    expect(filter.process({ rows, origin: null }, 0).rows).toEqual([{ keep: true }, { keep: true }]);
    expect(filter.filtered).toBe(2);
    filter.beginPass(passContext().context);
    expect(filter.filtered).toBe(0);
  });
});
