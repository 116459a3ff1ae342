import { describe, expect, it } from "vitest";
import { copyStored } from "../../../lib/operators/stateful/stored-value.js";

describe("copyStored", () => {
  it("copies all that the row codec takes", () => {
    const value = {
      a: [1, "x", null, true, 2n],
      at: new Date(5),
      bytes: new Uint8Array([1, 2]),
      deep: { n: Number.NaN },
    };
    const copy = copyStored(value);
    expect(copy).toEqual(value);
    expect(copy.a).not.toBe(value.a);
    expect(copy.at).not.toBe(value.at);
    expect(copy.bytes).not.toBe(value.bytes);
    expect(copy.deep).not.toBe(value.deep);
  });

  it("leaves out properties that are undefined", () => {
    expect(Object.keys(copyStored({ a: 1, b: undefined }))).toEqual(["a"]);
  });

  it("refuses the rest with the path to it", () => {
    expect(() => copyStored(undefined)).toThrow(/state-value-unsupported.*undefined.*the top/);
    expect(() => copyStored({ list: [{ f: () => 1 }] })).toThrow(/function at list\[0\]\.f/);
    expect(() => copyStored({ set: new Set() })).toThrow(/Set at set/);
    expect(() => copyStored(JSON.parse('{"__proto__": 1}'))).toThrow(/__proto__/);
  });

  it("refuses a value that contains itself", () => {
    const loop: unknown[] = [];
    loop.push(loop);
    expect(() => copyStored(loop)).toThrow(/nested deeper than 80/);
  });
});
