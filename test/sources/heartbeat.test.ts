import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heartbeatPayload, heartbeatTime } from "../../lib/sources/heartbeat.js";

describe("heartbeatTime", () => {
  it("reads the time that a heartbeat asserts", () => {
    expect(heartbeatTime(heartbeatPayload("2024-01-01T00:00:00.001Z"))).toBe(Date.UTC(2024, 0, 1, 0, 0, 0, 1));
  });

  it("is null for rows, for other times and for anything else", () => {
    for (const text of ["", '{"tidemark:heartbeat":5}', '{"a":1}', '{"tidemark:heartbeat":"soon"}']) {
      expect(heartbeatTime(Buffer.from(text))).toBeNull();
    }
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(heartbeatTime(bytes)).toBeNull();
      }),
    );
  });
});
