import { S3Error } from "./s3-error.js";

export interface RequestBody {
  readonly body: Buffer;
  /** Lower-case names; checksums that a streaming client computes while it sends. */
  readonly trailers: Readonly<Record<string, string>>;
}

/** Takes the aws-chunked framing off, where the client used it. */
export function readRequestBody(headers: Readonly<Record<string, string>>, raw: Buffer): RequestBody {
  const framed =
    headers["x-amz-content-sha256"]?.startsWith("STREAMING-") || headers["content-encoding"]?.includes("aws-chunked");
  return framed ? unframe(raw) : { body: raw, trailers: {} };
}

/** Content codings of the object itself: aws-chunked is the transfer's. */
export function objectEncoding(headers: Readonly<Record<string, string>>): string | undefined {
  const codings = headers["content-encoding"]?.split(",").map((coding) => coding.trim());
  return codings?.filter((coding) => coding !== "aws-chunked" && coding !== "").join(",") || undefined;
}

/** `<hex size>[;chunk-signature=…]CRLF <bytes> CRLF … 0 CRLF [trailer: value CRLF]… CRLF` */
function unframe(raw: Buffer): RequestBody {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = raw.indexOf("\r\n", at);
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(raw.toString("latin1", at, lineEnd), 16);
    if (Number.isNaN(size) || lineEnd + 2 + size > raw.length) {
      throw new S3Error(400, "IncompleteBody", "The request body terminated unexpectedly");
    }
    at = lineEnd + 2;
    if (size === 0) break;
    chunks.push(raw.subarray(at, at + size));
    at += size + 2;
  }
  const trailers: Record<string, string> = Object.create(null);
  for (const line of raw.toString("latin1", at).split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) trailers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  return { body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks), trailers };
}
