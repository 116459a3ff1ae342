import { expect, it } from "vitest";
import { md5Hex, verifiedChecksums } from "../../../lib/local/s3-emulator/checksums.js";

const body = Buffer.from("123456789");
const CRC32 = "y/Q5Jg==";

it("compares a checksum with the body, wherever it was sent, and keeps it", () => {
  const name = "x-amz-checksum-crc32";
  expect(verifiedChecksums({ [name]: CRC32 }, { body, trailers: {} })).toEqual({ [name]: CRC32 });
  expect(verifiedChecksums({}, { body, trailers: { [name]: CRC32 } })).toEqual({ [name]: CRC32 });
  expect(() => verifiedChecksums({ [name]: "AAAAAA==" }, { body, trailers: {} })).toThrow("CRC32");
});

it("keeps what it cannot compute, and refuses another MD5", () => {
  const kept = { "x-amz-checksum-crc64nvme": "any" };
  expect(verifiedChecksums(kept, { body, trailers: {} })).toEqual(kept);
  const other = Buffer.from(md5Hex(Buffer.from("other")), "hex").toString("base64");
  expect(() => verifiedChecksums({ "content-md5": other }, { body, trailers: {} })).toThrow("Content-MD5");
});
