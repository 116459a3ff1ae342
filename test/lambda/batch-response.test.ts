import { describe, expect, it } from "vitest";
import { batchResponse } from "../../lib/lambda/batch-response.js";

const left = (sequence: string, sub = 0) => ({ source: "in", shard: "s", sequence, sub });

describe("the response to a batch", () => {
  it("is empty when all is consumed", () => {
    expect(batchResponse([])).toEqual({ batchItemFailures: [] });
  });

  it("names the lowest sequence number as an integer, without its sub-record", () => {
    expect(batchResponse([left("100"), left("99", 7)])).toEqual({ batchItemFailures: [{ itemIdentifier: "99" }] });
  });
});
