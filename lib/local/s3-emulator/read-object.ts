import type { HttpResponse } from "../loopback-server.js";
import type { StoredObject } from "./bucket.js";
import { checkRead } from "./preconditions.js";
import { S3Error } from "./s3-error.js";

/** GET and HEAD. A HEAD carries the length of the body that it does not send. */
export function readObject(
  method: "GET" | "HEAD",
  headers: Readonly<Record<string, string>>,
  object: StoredObject,
): HttpResponse {
  const common = {
    etag: `"${object.etag}"`,
    "last-modified": new Date(object.modified).toUTCString(),
    "accept-ranges": "bytes",
  };
  if (checkRead(headers, object)) return { status: 304, headers: common };
  const range = byteRange(headers["range"], object.body.length);
  const body = range ? object.body.subarray(range.start, range.end) : object.body;
  const wantsChecksums = headers["x-amz-checksum-mode"] !== undefined && !range;
  const described = {
    "content-type": "binary/octet-stream",
    ...object.headers,
    ...common,
    ...(wantsChecksums ? object.checksums : {}),
    ...(range ? { "content-range": `bytes ${range.start}-${range.end - 1}/${object.body.length}` } : {}),
    "content-length": String(body.length),
  };
  return { status: range ? 206 : 200, headers: described, ...(method === "GET" ? { body } : {}) };
}

/** One range, end exclusive; null for none or one that HTTP says to ignore. */
function byteRange(
  header: string | undefined,
  length: number,
): { readonly start: number; readonly end: number } | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return null;
  const suffix = match[1] === "";
  const start = suffix ? Math.max(0, length - Number(match[2])) : Number(match[1]);
  const end = suffix || match[2] === "" ? length : Math.min(Number(match[2]) + 1, length);
  if (start >= length || end <= start) {
    throw new S3Error(416, "InvalidRange", "The requested range is not satisfiable");
  }
  return { start, end };
}
