/** One field of a protobuf message: a varint as a number, or the bytes of a length-delimited value (a view, not a copy). */
export interface ProtobufField {
  readonly number: number;
  readonly varint: number;
  readonly bytes: Uint8Array | null;
}

/**
 * Calls `visit` for each field; false if the bytes are no protobuf message or a visit returns false. Never throws.
 * Unknown fields are passed on as they are; fixed-width ones are skipped. Varints beyond 2^53 are refused.
 */
export function readProtobuf(message: Uint8Array, visit: (field: ProtobufField) => boolean): boolean {
  const cursor = { at: 0 };
  while (cursor.at < message.length) {
    const tag = readVarint(message, cursor);
    if (tag === null) return false;
    const number = Math.floor(tag / 8);
    if (number === 0) return false;
    switch (tag % 8) {
      case 0: {
        const varint = readVarint(message, cursor);
        if (varint === null || !visit({ number, varint, bytes: null })) return false;
        break;
      }
      case 1:
        cursor.at += 8;
        break;
      case 2: {
        const length = readVarint(message, cursor);
        if (length === null || length > message.length - cursor.at) return false;
        const bytes = message.subarray(cursor.at, cursor.at + length);
        cursor.at += length;
        if (!visit({ number, varint: 0, bytes })) return false;
        break;
      }
      case 5:
        cursor.at += 4;
        break;
      default:
        return false;
    }
  }
  return cursor.at === message.length;
}

function readVarint(bytes: Uint8Array, cursor: { at: number }): number | null {
  let value = 0;
  let scale = 1;
  for (let i = 0; i < 8; i++) {
    const byte = bytes[cursor.at++];
    if (byte === undefined) return null;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return Number.isSafeInteger(value) ? value : null;
    scale *= 128;
  }
  return null;
}
