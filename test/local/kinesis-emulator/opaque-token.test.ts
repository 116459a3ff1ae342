import { expect, it } from "vitest";
import { decodeToken, encodeToken } from "../../../lib/local/kinesis-emulator/opaque-token.js";

it("gives back what it was made of, and refuses what it was not", () => {
  const content = { stream: "views", after: "49" };
  expect(decodeToken(encodeToken(content), "No.")).toEqual(content);
  expect(() => decodeToken("bm90IEpTT04=", "NextToken is invalid.")).toThrow("NextToken is invalid.");
});
