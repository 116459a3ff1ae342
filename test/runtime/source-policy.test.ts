import { describe, expect, it } from "vitest";
import { sourcePolicy } from "../../lib/runtime/source-policy.js";

const stream = { kind: "kinesis", stream: "s" } as const;

describe("the policy of a source", () => {
  it("is auto with an hour's skew where records say when they arrived", () => {
    const expected = { across: "auto", idleTimeoutMs: null, maxFutureSkewMs: 3_600_000 };
    expect(sourcePolicy(stream)).toEqual(expected);
    expect(sourcePolicy({ kind: "kafka", topic: "t", partitions: 3 })).toEqual(expected);
  });

  it("is Spark's maximum for a topic whose partitions are not counted: one that was not read yet would hold nothing", () => {
    expect(sourcePolicy({ kind: "kafka", topic: "t" })).toMatchObject({ across: "max", maxFutureSkewMs: 3_600_000 });
  });

  it("is Spark's maximum without a guard where they do not", () => {
    expect(sourcePolicy({ kind: "files" })).toEqual({ across: "max", idleTimeoutMs: null, maxFutureSkewMs: null });
  });

  it("reads intervals as withWatermark does, milliseconds, and false as off", () => {
    const options = { across: "min", idleTimeout: "2 minutes", maxFutureSkew: 500 } as const;
    expect(sourcePolicy({ ...stream, ...options })).toEqual({
      across: "min",
      idleTimeoutMs: 120_000,
      maxFutureSkewMs: 500,
    });
    expect(sourcePolicy({ ...stream, maxFutureSkew: false }).maxFutureSkewMs).toBeNull();
  });

  it("refuses an unknown rule", () => {
    expect(() => sourcePolicy({ ...stream, across: "median" as "max" })).toThrow("across-unknown");
  });
});
