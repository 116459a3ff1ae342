import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeRows, encodeRows } from "../../lib/sinks/staged-rows.js";

describe("encodeRows", () => {
  it("gives back every value, those that JSON lacks and look-alikes of its own marks included", () => {
    const rows = [
      { n: Number.NaN, z: -0, i: Number.POSITIVE_INFINITY, b: 2n ** 70n, d: new Date(5), y: new Uint8Array([1, 2]) },
      { $: "bigint", v: "5" },
      { nested: [{ $: { $: 1n } }], nothing: null },
    ];
    expect(decodeRows(encodeRows(rows))).toEqual(rows);
  });

  it("gives back any plain data", () => {
    const value = fc.anything({
      withBigInt: true,
      withDate: true,
      withNullPrototype: false,
      maxDepth: 3,
      values: [fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.constant("$")],
      key: fc.oneof(fc.string(), fc.constantFrom("$", "v", "__proto__")),
    });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value, { noNullPrototype: true }), (row) => {
        expect(decodeRows(encodeRows([row]))).toEqual([row]);
      }),
    );
  });
});
