import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { isPlain, payloadText } from "../../lib/sources/payload-text.js";
import { aggregate } from "./kpl-aggregate.js";

const LIMIT = 10_000;

describe("payloadText", () => {
  it("reads UTF-8 of any kind of byte array, and gzip of it", () => {
    expect(payloadText(new Uint8Array(Buffer.from("ü")), LIMIT)).toEqual({ text: "ü" });
    expect(payloadText(gzipSync("ü"), LIMIT)).toEqual({ text: "ü" });
  });

  it("TRIALS-2 C1: bounds what gzip may become by the limit, not by how well it is packed", () => {
    const logs = JSON.stringify({ logEvents: Array(1000).fill({ id: "1", timestamp: 1, message: "GET /health 200" }) });
    const packed = gzipSync(logs);
    expect(logs.length / packed.length).toBeGreaterThan(100);
    expect(payloadText(packed, 100_000)).toEqual({ text: logs });
    expect(payloadText(gzipSync("x".repeat(LIMIT)), LIMIT)).toEqual({ text: "x".repeat(LIMIT) });
    expect(payloadText(gzipSync("x".repeat(LIMIT + 1)), LIMIT)).toMatchObject({ malformed: "too-large" });
  });

  it("names a KPL aggregate that could not be taken apart", () => {
    const broken = aggregate([{ partitionKey: "a", data: Buffer.from([0xff]) }]).subarray(0, -1);
    expect(payloadText(broken, LIMIT)).toMatchObject({ malformed: "not-json", detail: expect.stringContaining("KPL") });
  });

  it("says of gzip that holds no text, or no gzip, that it is not JSON", () => {
    expect(payloadText(gzipSync(Buffer.from([0xff])), LIMIT)).toMatchObject({ malformed: "not-json" });
    expect(payloadText(new Uint8Array([0x1f, 0x8b, 1, 2]), LIMIT)).toMatchObject({ malformed: "not-json" });
  });
});

it("isPlain is what can be joined with others as it is", () => {
  expect(isPlain({ data: Buffer.from("{}") }, LIMIT)).toBe(true);
  expect(isPlain({ data: gzipSync("{}") }, LIMIT)).toBe(false);
  expect(isPlain({ data: Buffer.alloc(LIMIT + 1) }, LIMIT)).toBe(false);
});
