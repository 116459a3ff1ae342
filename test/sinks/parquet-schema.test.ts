import { describe, expect, it } from "vitest";
import { parquetElements, parquetValue } from "../../lib/sinks/parquet-schema.js";

describe("a column in Parquet", () => {
  it("is a subtree in pre-order where the type has parts", () => {
    const names = (type: Parameters<typeof parquetElements>[1]) =>
      parquetElements("c", type).map(({ name, num_children: children }) => [name, children ?? 0]);
    expect(names("window")).toEqual([
      ["c", 2],
      ["start", 0],
      ["end", 0],
    ]);
    expect(names({ array: "long" })).toEqual([
      ["c", 1],
      ["list", 1],
      ["element", 0],
    ]);
  });

  it("tells instants from wall-clock times", () => {
    const adjusted = (type: "timestamp" | "timestamp_ntz") => parquetElements("c", type)[0]!.logical_type;
    expect(adjusted("timestamp")).toMatchObject({ isAdjustedToUTC: true, unit: "MICROS" });
    expect(adjusted("timestamp_ntz")).toMatchObject({ isAdjustedToUTC: false });
  });
});

describe("a value in Parquet", () => {
  it("has its column's type: microseconds, 64 bits, JSON text", () => {
    expect(parquetValue(1.5, "timestamp")).toBe(1500n);
    expect(parquetValue(7, "long")).toBe(7n);
    expect(parquetValue({ a: [1] }, "json")).toBe('{"a":[1]}');
    expect(parquetValue({ start: 1, end: 2, more: 3 }, "window")).toEqual({ start: 1000n, end: 2000n });
    expect(parquetValue(undefined, "string")).toBeNull();
  });

  it("that is of another type is refused, at any depth", () => {
    expect(() => parquetValue("7", "long")).toThrow("sink-type");
    expect(() => parquetValue([1, "2"], { array: "int" })).toThrow("sink-type");
    expect(() => parquetValue({ start: 1 }, "window")).toThrow("sink-type");
  });
});
