import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { incarnationOf, metaKey, objectKey, objectPrefix, pointerKey, slotKey } from "../../lib/checkpoint/keys.js";

const at = { incarnation: "001700000000000", partition: 3 };

describe("checkpoint keys", () => {
  it("carry query, incarnation and partition in every item but meta", () => {
    expect(metaKey("q")).toEqual({ pk: "q", sk: "meta" });
    expect(pointerKey("q", at)).toEqual({ pk: "q#001700000000000#3", sk: "snapshot" });
    expect(slotKey("q", at, 7)).toEqual({ pk: "q#001700000000000#3", sk: "slot#7" });
  });

  it("put every object below the prefix that the sweeper lists, and no other partition's", () => {
    expect(objectKey("q", at, "run", "x").startsWith(objectPrefix("q", at))).toBe(true);
    expect(objectPrefix("q", { ...at, partition: 31 }).startsWith(objectPrefix("q", at))).toBe(false);
  });

  it("order incarnations as strings by their creation", () => {
    expect(incarnationOf(999) < incarnationOf(1_700_000_000_000)).toBe(true);
    expect(incarnationOf(1_700_000_000_000)).toHaveLength(15);
  });

  it("never collide or nest, whatever two queries are named", () => {
    const letter = fc.constantFrom("a", "A", "0", "1", ".", "-", "_");
    const name = fc
      .tuple(fc.constantFrom("a", "0"), fc.array(letter, { maxLength: 4 }))
      .map(([first, rest]) => first + rest.join(""));
    fc.assert(
      fc.property(name, name, (a, b) => {
        fc.pre(a !== b);
        for (const key of [metaKey, (query: string) => pointerKey(query, at)]) expect(key(a).pk).not.toBe(key(b).pk);
        expect(metaKey(a).pk).not.toBe(pointerKey(b, at).pk);
        // The pattern of the function's policy.
        expect(pointerKey(a, at).pk.startsWith(`${b}#`)).toBe(false);
        expect(objectPrefix(a, at).startsWith(`checkpoints/${b}/`)).toBe(false);
      }),
    );
  });
});
