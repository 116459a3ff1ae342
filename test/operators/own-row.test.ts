import { describe, expect, it } from "vitest";
import { ownRow } from "../../lib/operators/own-row.js";

describe("a row for user code", () => {
  it("shares nothing that can be changed with the row that it is of", () => {
    const row = { n: 1, at: new Date(5), tags: ["a", { deep: [1] }], none: null, big: 2n };
    const own = ownRow(row) as typeof row;
    expect(own).toEqual(row);
    own.n = 2;
    own.at.setTime(6);
    (own.tags[1] as { deep: number[] }).deep.push(2);
    expect(row).toEqual({ n: 1, at: new Date(5), tags: ["a", { deep: [1] }], none: null, big: 2n });
  });

  it("keeps members of any name, and sets no prototype", () => {
    const own = ownRow({ j: JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') });
    expect(Object.keys(own["j"] as object)).toEqual(["__proto__", "constructor"]);
    expect((own["j"] as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
