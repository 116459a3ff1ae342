import { describe, expect, it } from "vitest";
import { rowBatch } from "../../lib/columns/column-batch.js";
import { passLimit, streamLimit } from "../../lib/operators/limit.js";
import { counters, operatorHarness } from "./operator-harness.js";
import { passContext } from "./pass-context.js";

const rows = (...list: number[]) => list.map((n) => ({ n }));

describe("streamLimit", () => {
  it("lets the first n rows of the stream through, over passes", () => {
    const pass = operatorHarness(streamLimit("limit", 3));
    expect(pass({ rows: rows(1, 2) }).output).toEqual(rows(1, 2));
    const second = pass({ chunks: [rows(3), rows(4)] });
    expect(second.output).toEqual(rows(3));
    expect(counters(second)).toEqual([1, 1, 0, 0]);
    expect(counters(pass({ rows: rows(5) }))).toEqual([1, 0, 0, 0]);
  });

  it("reads n rows in every pass, even when it lets none through any more", () => {
    const limit = streamLimit("limit", 2);
    const pass = operatorHarness(limit);
    pass({ rows: rows(1, 2, 3) });
    expect(limit.remaining).toBe(0);
    pass({ rows: rows(4) });
    expect(limit.remaining).toBe(1);
  });
});

describe("passLimit", () => {
  it("starts anew with every pass", () => {
    const limit = passLimit(2);
    for (let pass = 0; pass < 2; pass++) {
      limit.beginPass(passContext().context);
      expect(limit.process(rowBatch(rows(1)), 0).rows()).toEqual(rows(1));
      expect(limit.process(rowBatch(rows(2, 3)), 0).rows()).toEqual(rows(2));
    }
  });
});
