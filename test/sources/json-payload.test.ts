import { expect, it } from "vitest";
import { jsonPayload } from "../../lib/sources/json-payload.js";

it("jsonPayload is one object, whatever the names", () => {
  const payload = Buffer.from(
    jsonPayload([
      ['a"b', "1"],
      ["__proto__", "2"],
    ]),
  ).toString();
  expect(payload).toBe('{"a\\"b":1,"__proto__":2}');
});
