import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { samples } from "./stored-samples.js";

const pathOf = (name: string) => new URL(`../samples/${name}.bin`, import.meta.url);

describe("what was stored by any version", () => {
  it.each(samples)("is still read: $name", ({ name, value, encode, decode }) => {
    // Only ever for a new sample: one that stands is never written again.
    if (process.env["WRITE_SAMPLES"] === "1" && !existsSync(pathOf(name))) writeFileSync(pathOf(name), encode(value));
    expect(decode(readFileSync(pathOf(name)))).toEqual(value);
    expect(decode(encode(value))).toEqual(value);
  });
});
