import { expect, test } from "vitest";
import { objectEncoding, readRequestBody } from "../../../lib/local/s3-emulator/request-body.js";

const framed = { "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER" };
const read = (text: string, headers: Record<string, string> = framed) =>
  readRequestBody(headers, Buffer.from(text, "latin1"));

test("a plain body stays as it is, even if it looks framed", () => {
  expect(read("1\r\na\r\n0\r\n\r\n", {}).body.toString()).toBe("1\r\na\r\n0\r\n\r\n");
});

test("chunks are joined, signatures dropped, trailers kept in lower case", () => {
  const { body, trailers } = read(
    "3;chunk-signature=ab\r\na\r\n\r\nA;chunk-signature=cd\r\n0123456789\r\n0;chunk-signature=ef\r\nX-Amz-Checksum-CRC32: AAAA==\r\n\r\n",
  );
  expect(body.toString()).toBe("a\r\n0123456789");
  expect(trailers).toEqual({ "x-amz-checksum-crc32": "AAAA==" });
});

test("an empty body is one last chunk", () => {
  expect(read("0\r\n\r\n").body).toHaveLength(0);
});

test.each([["5\r\nabc"], ["zz\r\nabc\r\n"], ["3\r\nabc\r\n"], [""]])("%j is incomplete", (text) => {
  expect(() => read(text)).toThrow(/terminated unexpectedly/);
});

test("the transfer's coding is not the object's", () => {
  expect(objectEncoding({ "content-encoding": "gzip, aws-chunked" })).toBe("gzip");
  expect(objectEncoding({ "content-encoding": "aws-chunked" })).toBeUndefined();
  expect(objectEncoding({})).toBeUndefined();
});
