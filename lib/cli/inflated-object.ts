import { gunzipSync } from "node:zlib";

/** The bytes of an object, inflated where its name ends in `.gz`. */
export const inflatedObject = (key: string, bytes: Uint8Array): Uint8Array =>
  key.endsWith(".gz") ? gunzipSync(bytes) : bytes;
