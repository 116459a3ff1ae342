import { expect, it } from "vitest";
import { plainText } from "../../lib/cli/plain-text.js";

it("lets no control character, escape or turn of writing through, and ends", () => {
  expect(plainText("a\u001b[31mred\u0007\r\nb\u202eover\u009b1m")).toBe(
    "a\\u001b[31mred\\u0007\\u000d\\u000ab\\u202eover\\u009b1m",
  );
  expect(plainText("Müller 東京 <b>")).toBe("Müller 東京 <b>");
  expect(plainText("x".repeat(1_000_000))).toHaveLength(1_001);
});
