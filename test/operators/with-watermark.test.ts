import { describe, expect, it } from "vitest";
import { watermarkOperator } from "../../lib/operators/with-watermark.js";

describe("watermarkOperator", () => {
  it("shows every row's time in order, NULL too, and passes the chunk on as it is", () => {
    const seen: unknown[] = [];
    const operator = watermarkOperator({
      column: "t",
      cast: null,
      observe: (time, origin) => seen.push([time, origin?.record]),
    });
    const chunk = {
      rows: [{ t: 5 }, { t: null }],
      origin: [
        { source: 0, record: 3 },
        { source: 0, record: 4 },
      ],
    };
    expect(operator.process(chunk, 0)).toBe(chunk);
    expect(seen).toEqual([
      [5, 3],
      [null, 4],
    ]);
  });

  it("casts its column in a copy of the row, which another branch may share", () => {
    const row = { t: "1970-01-01T00:00:01Z" };
    const operator = watermarkOperator({
      column: "t",
      cast: (value) => Date.parse(value as string),
      observe: () => {},
    });
    expect(operator.process({ rows: [row], origin: null }, 0).rows).toEqual([{ t: 1000 }]);
    expect(row.t).toBe("1970-01-01T00:00:01Z");
  });
});
