import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ProtobufField, readProtobuf } from "../../lib/sources/protobuf-reader.js";
import { field, varint } from "./kpl-aggregate.js";

const fieldsOf = (message: Uint8Array): readonly ProtobufField[] | null => {
  const fields: ProtobufField[] = [];
  const keep = (each: ProtobufField) => {
    fields.push(each);
    return true;
  };
  return readProtobuf(message, keep) ? fields : null;
};

describe("readProtobuf", () => {
  it("reads varints and bytes, and passes over fixed-width fields", () => {
    const message = Buffer.concat([
      Buffer.from([8, ...varint(300)]),
      Buffer.from([17, 1, 2, 3, 4, 5, 6, 7, 8]),
      Buffer.from([29, 1, 2, 3, 4]),
      field(4, Buffer.from("x")),
    ]);
    expect(
      fieldsOf(message)?.map(({ number, varint: value, bytes }) => [
        number,
        value,
        bytes && Buffer.from(bytes).toString(),
      ]),
    ).toEqual([
      [1, 300, null],
      [4, 0, "x"],
    ]);
  });

  it("refuses ends in the middle, field number 0, groups and varints beyond 2^53", () => {
    for (const bytes of [[8], [8, 0x80], [18, 5, 1], [17, 1], [0, 1], [11], [8, ...Array(9).fill(0xff), 1]]) {
      expect(fieldsOf(new Uint8Array(bytes))).toBeNull();
    }
  });

  it("never throws and never reads beyond the message", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        for (const { bytes: inner } of fieldsOf(bytes) ?? []) expect((inner?.length ?? 0) <= bytes.length).toBe(true);
      }),
    );
  });
});
