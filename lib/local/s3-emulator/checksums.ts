import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { RequestBody } from "./request-body.js";
import { S3Error } from "./s3-error.js";

const CHECKED: Readonly<Record<string, (body: Buffer) => string>> = {
  crc32: (body) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(crc32(body));
    return bytes.toString("base64");
  },
  sha1: (body) => createHash("sha1").update(body).digest("base64"),
  sha256: (body) => createHash("sha256").update(body).digest("base64"),
};
/** Kept and given back, not verified. */
const KEPT = ["crc32c", "crc64nvme"];

export const md5Hex = (body: Uint8Array): string => createHash("md5").update(body).digest("hex");

/** The checksum headers of a request, compared with its body, to be kept with the object. */
export function verifiedChecksums(
  headers: Readonly<Record<string, string>>,
  { body, trailers }: RequestBody,
): Readonly<Record<string, string>> {
  const md5 = headers["content-md5"];
  if (md5 !== undefined && md5 !== Buffer.from(md5Hex(body), "hex").toString("base64")) throw badDigest("Content-MD5");
  const kept: Record<string, string> = {};
  for (const algorithm of [...Object.keys(CHECKED), ...KEPT]) {
    const name = `x-amz-checksum-${algorithm}`;
    const sent = headers[name] ?? trailers[name];
    if (sent === undefined) continue;
    const compute = CHECKED[algorithm];
    if (compute !== undefined && compute(body) !== sent) throw badDigest(algorithm.toUpperCase());
    kept[name] = sent;
  }
  return kept;
}

const badDigest = (algorithm: string): S3Error =>
  new S3Error(400, "BadDigest", `The ${algorithm} you specified did not match the calculated checksum.`);
