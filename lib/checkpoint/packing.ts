import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { internalError } from "../errors.js";

/**
 * Stored bytes begin with two of their own: the codec version of what follows, and their form: whether it is deflated, and whether a checksum
 * of all that is stored stands before it. Readers of every version ever written stay (`test/samples`); a version above one's own is newer code's.
 */
const FORMS = new Map([
  [0x00, { deflated: false, checked: false }],
  [0x01, { deflated: true, checked: false }],
  // No single damaged bit makes one of these another.
  [0xa6, { deflated: false, checked: true }],
  [0x59, { deflated: true, checked: true }],
]);
const PLAIN = 0xa6;
const DEFLATED = 0x59;
/** Version and form, then the checksum. */
const HEADER = 6;
/** Below this deflate adds more than it takes. */
const MIN_DEFLATE = 64;

export function pack(version: number, bytes: Uint8Array): Uint8Array {
  const deflated = bytes.length >= MIN_DEFLATE ? deflateRawSync(bytes) : bytes;
  return deflated.length < bytes.length ? checked(version, DEFLATED, deflated) : packPlain(version, bytes);
}

/** What is compressed already, such as staged output, is not deflated again. */
export const packPlain = (version: number, bytes: Uint8Array): Uint8Array => checked(version, PLAIN, bytes);

function checked(version: number, form: number, body: Uint8Array): Uint8Array {
  const packed = new Uint8Array(HEADER + body.length);
  packed[0] = version;
  packed[1] = form;
  packed.set(body, HEADER);
  new DataView(packed.buffer).setUint32(2, checksum(packed));
  return packed;
}

const checksum = (packed: Uint8Array): number => crc32(packed.subarray(HEADER), crc32(packed.subarray(0, 2)));

/** @throws `corrupt-bytes`, `newer-format` */
export function unpack(packed: Uint8Array, newest: number): { readonly version: number; readonly bytes: Uint8Array } {
  const version = packed[0] ?? 0;
  const form = FORMS.get(packed[1] ?? -1);
  if (version === 0 || form === undefined) {
    throw internalError("corrupt-bytes", "Stored bytes are damaged: no codec version.");
  }
  if (form.checked && !isWhole(packed)) {
    throw internalError("corrupt-bytes", "Stored bytes are damaged: they do not have their checksum.");
  }
  if (version > newest) {
    throw internalError(
      "newer-format",
      `Stored bytes have codec version ${version}; this code reads up to ${newest}.`,
      "Deploy the newer code again: a rollback is a new version that still reads what was written.",
    );
  }
  const body = packed.subarray(form.checked ? HEADER : 2);
  return { version, bytes: form.deflated ? inflate(body) : body };
}

const isWhole = (packed: Uint8Array): boolean =>
  packed.length >= HEADER &&
  new DataView(packed.buffer, packed.byteOffset, packed.byteLength).getUint32(2) === checksum(packed);

function inflate(body: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(body);
  } catch (cause) {
    throw internalError("corrupt-bytes", "Stored bytes are damaged: they do not inflate.", undefined, cause);
  }
}
