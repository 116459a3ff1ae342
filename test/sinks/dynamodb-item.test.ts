import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DataType, Schema } from "../../lib/plan/schema.js";
import { itemOf } from "../../lib/sinks/dynamodb-item.js";

const of = (type: DataType): Schema => ({ fields: [{ name: "v", type, nullable: true }] });
const attribute = (type: DataType, v: unknown) => itemOf({ v }, of(type), [])["v"];
const key = (type: DataType, v: unknown) => itemOf({ v }, of(type), ["v"])["v"];
const noon = Date.UTC(2024, 0, 1, 12);
const window = { start: noon, end: noon + 1000 };

describe("itemOf", () => {
  it("writes values by their type", () => {
    expect(attribute("long", 2n ** 62n)).toEqual({ N: "4611686018427387904" });
    expect(attribute("double", 0.5)).toEqual({ N: "0.5" });
    expect(attribute("boolean", false)).toEqual({ BOOL: false });
    expect(attribute("string", "")).toEqual({ S: "" });
    expect(attribute("timestamp", noon)).toEqual({ S: "2024-01-01T12:00:00Z" });
    expect(attribute("string", null)).toEqual({ NULL: true });
    expect(attribute("window", window)).toEqual({
      M: { start: { S: "2024-01-01T12:00:00Z" }, end: { S: "2024-01-01T12:00:01Z" } },
    });
    expect(attribute({ array: "timestamp" }, [noon])).toEqual({ L: [{ S: "2024-01-01T12:00:00Z" }] });
    expect(attribute("json", { a: [1, { b: null }], start: 1, end: 2 })).toEqual({
      M: { a: { L: [{ N: "1" }, { M: { b: { NULL: true } } }] }, start: { N: "1" }, end: { N: "2" } },
    });
  });

  it("takes the key and all other members of a row whose schema is open", () => {
    const open: Schema = { fields: [{ name: "at", type: "timestamp", nullable: true }], open: true };
    expect(itemOf({ id: "a", at: noon, extra: [1] }, open, ["id"])).toEqual({
      id: { S: "a" },
      at: { S: "2024-01-01T12:00:00Z" },
      extra: { L: [{ N: "1" }] },
    });
    expect(() => itemOf({ id: "a", tidemark_batch_id: 1 }, open, ["id"])).toThrow("sink-key");
  });

  it("writes numbers that DynamoDB has not as strings", () => {
    for (const v of [Number.NaN, Number.POSITIVE_INFINITY, 1e300, -1e-200]) {
      expect(attribute("double", v)).toEqual({ S: String(v) });
    }
    expect(attribute("double", -0)).toEqual({ N: "0" });
  });

  it("makes keys of strings, numbers, times, windows and booleans", () => {
    expect(key("string", "a")).toEqual({ S: "a" });
    expect(key("long", 5)).toEqual({ N: "5" });
    expect(key("boolean", true)).toEqual({ S: "true" });
    expect(key("window", window)).toEqual({ S: "2024-01-01T12:00:00Z/2024-01-01T12:00:01Z" });
    expect(() => key({ array: "long" }, [1])).toThrow("[sink-key-value]");
  });

  it("refuses a number's key that is none, for a table keyed by numbers would", () => {
    for (const v of [null, Number.NaN, Number.NEGATIVE_INFINITY, 1e300])
      expect(() => key("double", v)).toThrow("[sink-key-value] The key column 'v' may be a number");
    for (const type of ["long", "int"] as const)
      expect(() => key(type, null)).toThrow("it is null. Filter such rows out");
    expect(key("long", -(2n ** 63n))).toEqual({ N: "-9223372036854775808" });
  });

  it("refuses null and NaN in a json key too, which may be one of numbers, and takes its texts", () => {
    for (const v of [null, Number.NaN, 10n ** 38n]) expect(() => key("json", v)).toThrow("[sink-key-value]");
    expect([key("json", 7), key("json", "a"), key("json", "")]).toEqual([{ N: "7" }, { S: "a" }, { S: "\u0000empty" }]);
  });

  it("gives different string keys different attributes, none empty", () => {
    const text = fc.option(fc.oneof(fc.string(), fc.constantFrom("", "\u0000", "\u0000null", "\u0000empty", "null")));
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [left, right] = [key("string", a), key("string", b)] as { S: string }[];
        expect(left?.S).not.toBe("");
        expect(left?.S === right?.S).toBe(a === b);
      }),
    );
  });

  it("writes as text what DynamoDB would refuse: deep nesting, long integers, a member __proto__", () => {
    let deep: unknown = "core";
    for (let i = 0; i < 60; i++) deep = { a: [deep] };
    let at = attribute("json", deep) as unknown as Record<string, never>;
    let levels = 0;
    for (; !("S" in at); levels++) at = (at["M"] as Record<string, never> | undefined)?.["a"] ?? at["L"]![0]!;
    expect(levels).toBe(32);
    expect(JSON.parse(at["S"]!)).toHaveProperty("a");
    expect(attribute("json", 10n ** 37n)).toEqual({ N: `1${"0".repeat(37)}` });
    expect(attribute("json", -(10n ** 38n))).toEqual({ S: `-1${"0".repeat(38)}` });
    expect(attribute("json", JSON.parse('{"__proto__":{"a":1}}'))).toEqual({ S: '{"__proto__":{"a":1}}' });
  });

  it("shortens a key that is too long for DynamoDB, and never two of them to one", () => {
    const fields = ["p", "s"].map((name) => ({ name, type: "string" as const, nullable: true }));
    const keysOf = (p: string, s: string) => {
      const item = itemOf({ p, s }, { fields }, ["p", "s"]);
      return [item["p"], item["s"]].map((value) => (value as { S: string }).S);
    };
    const whole = ["é".repeat(1024), "é".repeat(512)] as const;
    expect(keysOf(...whole)).toEqual(whole);
    const [long, other] = [keysOf(`${whole[0]}a`, `${whole[1]}a`), keysOf(`${whole[0]}b`, `${whole[1]}b`)];
    for (const key of [...long, ...other]) expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1024);
    expect(new Set([...long, ...other]).size).toBe(4);
  });

  it("refuses before the commit what could never be published", () => {
    expect(() => itemOf({ v: "x".repeat(400_000) }, of("string"), [])).toThrow(/item-too-large/);
    expect(() => itemOf({ v: 1 }, of("long"), ["absent"])).toThrow(/sink-key/);
    const reserved: Schema = { fields: [{ name: "tidemark_batch_id", type: "long", nullable: true }] };
    expect(() => itemOf({}, reserved, [])).toThrow(/sink-key/);
  });
});
