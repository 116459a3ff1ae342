import { describe, expect, it } from "vitest";
import { rowBatch } from "../../lib/columns/column-batch.js";
import { mapOperator } from "../../lib/operators/map.js";
import type { Row, Schema } from "../../lib/plan/schema.js";

const schema: Schema = {
  fields: [
    { name: "t", type: "timestamp", nullable: true },
    { name: "n", type: "long", nullable: true },
  ],
};

describe("mapOperator", () => {
  it("gives every row all columns of the schema, and no other", () => {
    const operator = mapOperator(() => [{ n: 1, extra: true }, {}], schema);
    expect(operator.process(rowBatch([{}]), 0).rows()).toEqual([
      { t: null, n: 1 },
      { t: null, n: null },
    ]);
  });

  it("takes a Date for an event time and refuses what is no time", () => {
    const mapped = (t: unknown) =>
      mapOperator(() => [{ t } as Row], schema)
        .process(rowBatch([{}]), 0)
        .rows();
    expect(mapped(new Date(5))).toEqual([{ t: 5, n: null }]);
    expect(() => mapped("soon")).toThrow("output-not-a-time");
  });
});
