import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyPrefix, outputFolder, outputKey } from "../../lib/sinks/output-keys.js";

const identity = { query: "page-views-5min", incarnation: "1704067200000", partition: 0, batchId: 7 };

const object = { output: "result", dt: "2024-01-01", extension: "jsonl.gz", firstRow: 0 } as const;

describe("outputKey", () => {
  it("holds the first row of what more there is of the day [STEPS A11]", () => {
    expect(outputKey("", identity, { ...object, firstRow: 25_000 })).toBe(
      "page-views-5min/1704067200000/dt=2024-01-01/0000-0000000000000007-000000025000.jsonl.gz",
    );
  });

  it("holds query, incarnation, day, partition and batch", () => {
    expect(outputKey("page-views/", identity, object)).toBe(
      "page-views/page-views-5min/1704067200000/dt=2024-01-01/0000-0000000000000007.jsonl.gz",
    );
  });

  it("puts side outputs beside the results", () => {
    expect(outputFolder("", identity, "late")).toBe("page-views-5min.late/1704067200000/");
    expect(outputFolder("out", identity, "malformed")).toBe("out/page-views-5min.malformed/1704067200000/");
  });

  it("sorts as batches do", () => {
    const key = (batchId: number) => outputKey("", { ...identity, batchId }, object);
    expect(key(9) < key(10) && key(10) < key(Number.MAX_SAFE_INTEGER)).toBe(true);
  });

  it("never lets a query's name reach another folder or another query's outputs", () => {
    const outputs = fc.constantFrom("result", "late", "malformed" as const);
    const name = fc.oneof(fc.string(), fc.constantFrom("..", "a/../b", "a", "a.late", "a~2Elate", "A.late/", "."));
    fc.assert(
      fc.property(name, name, outputs, outputs, (a, b, outA, outB) => {
        const folderA = outputFolder("p", { query: a, incarnation: "1" }, outA);
        const folderB = outputFolder("p", { query: b, incarnation: "1" }, outB);
        expect(folderA.split("/")).toHaveLength(4);
        expect(folderA).toMatch(/^p\/[A-Za-z0-9_~-]*(\.late|\.malformed)?\/1\/$/);
        expect(folderA === folderB).toBe(a === b && outA === outB);
      }),
    );
  });

  it("refuses prefixes that are no folders", () => {
    expect(keyPrefix("/a/b//")).toBe("a/b/");
    expect(keyPrefix("")).toBe("");
    for (const bad of ["a//b", "../x", "a/./b", "checkpoints", "/checkpoints/q"])
      expect(() => keyPrefix(bad)).toThrow(/sink-prefix/);
  });
});
