import { describe, expect, it } from "vitest";
import { keyColumns } from "../../lib/operators/key-columns.js";

describe("keyColumns", () => {
  const keys = keyColumns([
    { name: "user", type: "string", nullable: true },
    { name: "at", type: "timestamp", nullable: true },
  ]);

  it("gives equal rows equal keys, other columns apart", () => {
    expect(keys.encode({ user: "a", at: 1.001, other: 1 })).toBe(keys.encode({ at: 1.001, user: "a", other: 2 }));
    expect(keys.encode({ user: "a", at: 1.001 })).not.toBe(keys.encode({ user: "a", at: 1.002 }));
  });

  it("takes a missing column for NULL, and NULL for none of the texts", () => {
    expect(keys.encode({ at: 1 })).toBe(keys.encode({ user: null, at: 1 }));
    expect(keys.encode({ user: "", at: 1 })).not.toBe(keys.encode({ user: null, at: 1 }));
  });

  it("gives back the key columns alone", () => {
    expect(keys.decode(keys.encode({ user: "a\u0000b", at: null, other: 1 }))).toEqual({ user: "a\u0000b", at: null });
  });

  it("has one key for all rows where there are no columns", () => {
    const none = keyColumns([]);
    expect(none.decode(none.encode({ user: "a" }))).toEqual({});
  });
});
