import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { gunzip, gzip } from "../../lib/sinks/gzip.js";

it("gzip writes the same bytes for the same bytes, readable by any gunzip", () => {
  const bytes = Buffer.from("rows ".repeat(1000));
  expect(gzip(bytes)).toEqual(gzip(Buffer.from(bytes)));
  expect(gunzipSync(gzip(bytes))).toEqual(bytes);
  expect(Buffer.from(gunzip(gzip(bytes)))).toEqual(bytes);
});
