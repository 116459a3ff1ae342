import { gunzipSync, gzipSync } from "node:zlib";

const OS_BYTE = 9;
const OS_UNKNOWN = 255;

/** Same bytes in, same bytes out, on every platform: zlib writes no time of its own (mtime 0), and the operating system's mark is blanked. */
export function gzip(bytes: Uint8Array): Uint8Array {
  const packed = gzipSync(bytes);
  packed[OS_BYTE] = OS_UNKNOWN;
  return packed;
}

export const gunzip = (bytes: Uint8Array): Uint8Array => gunzipSync(bytes);
