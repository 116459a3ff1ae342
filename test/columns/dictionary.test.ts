import { expect, it } from "vitest";
import { Dictionary, FULL } from "../../lib/columns/dictionary.js";
import { hashOf } from "../../lib/columns/text-hash.js";

const intern = (dictionary: Dictionary, text: string) => {
  const bytes = Buffer.from(text);
  return dictionary.intern(bytes, 0, bytes.length, hashOf(bytes));
};

it("numbers texts as they come, equal ones alike", () => {
  const dictionary = new Dictionary();
  expect(["a", "", "caffè", "a", ""].map((text) => intern(dictionary, text))).toEqual([0, 1, 2, 0, 1]);
  expect([dictionary.internText("caffè"), dictionary.text(2), dictionary.text(1)]).toEqual([2, "caffè", ""]);
});

it("keeps its numbers while it grows, and takes no more than it may", () => {
  const dictionary = new Dictionary();
  for (let i = 0; i < 65_536; i++) if (intern(dictionary, `k${i}`) !== i) throw new Error(`k${i}`);
  expect([intern(dictionary, "k0"), intern(dictionary, "k65535"), intern(dictionary, "one more")]).toEqual([
    0,
    65_535,
    FULL,
  ]);
  expect(dictionary.text(40_000)).toBe("k40000");
});

it("takes no text beyond four megabytes", () => {
  expect(new Dictionary().internText("x".repeat(4 * 1024 * 1024 + 1))).toBe(FULL);
});

it("does not hold half a surrogate pair, which would read as another text", () => {
  expect(new Dictionary().internText("\ud800")).toBe(FULL);
});

it("gives up among texts made to collide", () => {
  const dictionary = new Dictionary();
  const found = Array.from({ length: 100 }, (_, i) => {
    const bytes = Buffer.from(`t${i}`);
    return dictionary.intern(bytes, 0, bytes.length, 1);
  });
  expect([found[0], found[47], found[48], found[99]]).toEqual([0, 47, FULL, FULL]);
});
