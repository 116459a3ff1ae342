import { deflateRawSync, inflateRawSync } from "node:zlib";
import { internalError } from "../errors.js";

/**
 * Stored bytes begin with two of their own: the codec version of what follows, and whether it is deflated.
 * Readers of every version ever written stay (`test/samples`); a version above one's own is newer code's.
 */
const PLAIN = 0;
const DEFLATED = 1;
/** Below this deflate adds more than it takes. */
const MIN_DEFLATE = 64;

export function pack(version: number, bytes: Uint8Array): Uint8Array {
  const deflated = bytes.length >= MIN_DEFLATE ? deflateRawSync(bytes) : bytes;
  const smaller = deflated.length < bytes.length;
  const packed = new Uint8Array(2 + (smaller ? deflated.length : bytes.length));
  packed[0] = version;
  packed[1] = smaller ? DEFLATED : PLAIN;
  packed.set(smaller ? deflated : bytes, 2);
  return packed;
}

/** What is compressed already, such as staged output, is not deflated again. */
export function packPlain(version: number, bytes: Uint8Array): Uint8Array {
  const packed = new Uint8Array(2 + bytes.length);
  packed[0] = version;
  packed.set(bytes, 2);
  return packed;
}

export function unpack(packed: Uint8Array, newest: number): { readonly version: number; readonly bytes: Uint8Array } {
  const [version, form] = packed;
  if (version === undefined || form === undefined || version === 0 || form > DEFLATED) {
    throw internalError("corrupt-bytes", "Stored bytes are damaged: no codec version.");
  }
  if (version > newest) {
    throw internalError(
      "newer-format",
      `Stored bytes have codec version ${version}; this code reads up to ${newest}.`,
      "Deploy the newer code again: a rollback is a new version that still reads what was written.",
    );
  }
  const body = packed.subarray(2);
  return { version, bytes: form === DEFLATED ? inflate(body) : body };
}

function inflate(body: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(body);
  } catch (cause) {
    throw internalError("corrupt-bytes", "Stored bytes are damaged: they do not inflate.", undefined, cause);
  }
}
