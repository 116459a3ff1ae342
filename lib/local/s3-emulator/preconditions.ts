import type { StoredObject } from "./bucket.js";
import { noSuchKey, preconditionFailed, S3Error } from "./s3-error.js";

type Headers = Readonly<Record<string, string>>;

const unquoted = (etag: string): string => etag.replaceAll('"', "");

/** Conditional write. Check and write must happen in one turn of the event loop: that is what makes them atomic. */
export function checkWrite(headers: Headers, current: StoredObject | undefined): void {
  const none = headers["if-none-match"];
  if (none !== undefined) {
    if (none !== "*") throw new S3Error(501, "NotImplemented", "If-None-Match of a write accepts only *");
    if (current) throw preconditionFailed();
  }
  const match = headers["if-match"];
  if (match !== undefined) {
    if (!current) throw noSuchKey();
    if (match !== "*" && unquoted(match) !== current.etag) throw preconditionFailed();
  }
}

/** Returns whether the object is unchanged for the reader (304). */
export function checkRead(headers: Headers, current: StoredObject): boolean {
  const match = headers["if-match"];
  if (match !== undefined && match !== "*" && unquoted(match) !== current.etag) throw preconditionFailed();
  const none = headers["if-none-match"];
  return none !== undefined && (none === "*" || unquoted(none) === current.etag);
}
