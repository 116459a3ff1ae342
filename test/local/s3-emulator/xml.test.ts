import { expect, test } from "vitest";
import { textsOf, xmlDocument } from "../../../lib/local/s3-emulator/xml.js";

test("elements nest, repeat and are left out, and texts survive writing and reading", () => {
  const keys = ["a&b", "<c>", "\"d'", "e\r\nf", "ü\u{1F600}"];
  const document = xmlDocument("R", { N: 1, Gone: undefined, E: keys.map((Key) => ({ Key })) });
  expect(document).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?><R><N>1<\/N><E><Key>a/);
  expect(document).not.toContain("Gone");
  expect(textsOf(document, "Key")).toEqual(keys);
});

test("named and hexadecimal references are read", () => {
  expect(textsOf("<Key>&lt;&amp;lt;&#x41;&#66;&apos;&unknown;</Key>", "Key")).toEqual(["<&lt;AB'&unknown;"]);
});
