import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compareDigits,
  HIGHEST_HASH_KEY,
  hexAbove,
  hexBelow,
  rangeStart,
  toDecimal,
  toHex,
} from "../../../lib/local/kinesis-emulator/digits.js";

const hashKey = fc.bigInt({ min: 0n, max: (1n << 128n) - 1n });

test("digits compare as the numbers they write", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 60n }), fc.bigInt({ min: 0n, max: 10n ** 60n }), (a, b) => {
      expect(Math.sign(compareDigits(`${a}`, `${b}`))).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

test("hash keys keep value and order in hexadecimal", () => {
  fc.assert(
    fc.property(hashKey, hashKey, (a, b) => {
      expect(toDecimal(toHex(a))).toBe(`${a}`);
      expect(toHex(a) < toHex(b)).toBe(a < b);
    }),
  );
});

test("equal ranges meet without gap or overlap", () => {
  for (const count of [1, 2, 3, 7, 1000]) {
    const starts = Array.from({ length: count + 1 }, (_, i) => rangeStart(i, count));
    const sizes = starts.slice(1).map((start, i) => start - starts[i]!);
    const floor = starts.at(-1)! / BigInt(count);
    expect(sizes.every((size) => size === floor || size === floor + 1n)).toBe(true);
    expect(toHex(starts.at(-1)! - 1n)).toBe(HIGHEST_HASH_KEY);
  }
  expect(hexAbove(hexBelow(toHex(1n << 127n)))).toBe(toHex(1n << 127n));
});
