import { Buffer } from "node:buffer";

/** About what a value takes as JSON, names included. */
export function textBytes(value: unknown): number {
  switch (typeof value) {
    case "string":
      return value.length < 16 ? value.length + 3 : Buffer.byteLength(value) + 3;
    case "object":
      return value === null ? 5 : objectBytes(value);
    default:
      return 20;
  }
}

function objectBytes(value: object): number {
  if (value instanceof Uint8Array) return Math.ceil((value.length * 4) / 3) + 3;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += textBytes(item);
  else for (const name in value) bytes += name.length + 4 + textBytes((value as Record<string, unknown>)[name]);
  return bytes;
}
