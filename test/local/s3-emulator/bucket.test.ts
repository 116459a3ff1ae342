import fc from "fast-check";
import { expect, test } from "vitest";
import { Bucket, byUtf8 } from "../../../lib/local/s3-emulator/bucket.js";

const object = { body: Buffer.alloc(0), etag: "", modified: 0, headers: {}, checksums: {} };

test("the order of keys is that of their UTF-8 bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
      expect(Math.sign(byUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

test("keys stay sorted and found over changes", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.constantFrom("a", "b", "ba", "c", "d", "\uFFFF", "\u{10000}"))),
      (steps) => {
        const bucket = new Bucket();
        const model = new Set<string>();
        for (const [put, key] of steps) {
          if (put) {
            bucket.set(key, object);
            model.add(key);
          } else expect(bucket.delete(key)).toBe(model.delete(key));
          const sorted = [...model].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
          expect(bucket.keys()).toEqual(sorted);
          expect(bucket.keys().slice(bucket.firstAbove("b"))).toEqual(sorted.filter((k) => byUtf8(k, "b") > 0));
        }
      },
    ),
  );
});
