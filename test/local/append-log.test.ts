import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openAppendLog, replaceLog } from "../../lib/local/append-log.js";

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "tidemark-test-"));
  path = join(directory, "a.log");
});
afterEach(() => rmSync(directory, { recursive: true }));

const write = (...texts: string[]) => {
  const log = openAppendLog(path, () => {});
  for (const text of texts) log.append(Buffer.from(text));
  log.close();
};
const read = () => {
  const texts: string[] = [];
  openAppendLog(path, (bytes) => texts.push(bytes.toString())).close();
  return texts;
};

test("frames come back in order over several openings", () => {
  write("one", "");
  write("three");
  expect(read()).toEqual(["one", "", "three"]);
});

test("a tail cut at any byte costs the last frame only, and appending goes on there", () => {
  write("first", "second");
  const whole = readFileSync(path);
  for (let size = whole.length - 1; size > 13; size--) {
    writeFileSync(path, whole);
    truncateSync(path, size);
    expect(read()).toEqual(["first"]);
    write("next");
    expect(read()).toEqual(["first", "next"]);
  }
});

test("nothing of a torn frame is read once a shorter one took its place", () => {
  write("first", "\0".repeat(100)); // eight zero bytes are an empty frame
  truncateSync(path, readFileSync(path).length - 1);
  write("next");
  expect(read()).toEqual(["first", "next"]);
});

test("a garbled last frame is cut off", () => {
  write("first", "second");
  const bytes = readFileSync(path);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(path, bytes);
  expect(read()).toEqual(["first"]);
});

test("garbage after the last frame that is too short for its length is cut off", () => {
  write("first");
  appendFileSync(path, Buffer.from([255, 0, 0, 0, 1]));
  expect(read()).toEqual(["first"]);
});

test("damage before the last frame is refused, not skipped", () => {
  write("first", "second");
  const bytes = readFileSync(path);
  bytes[9]! ^= 1;
  writeFileSync(path, bytes);
  expect(read).toThrow(/local-data-corrupt/);
});

test("a replaced log holds the new frames alone", () => {
  write("first", "second");
  replaceLog(path, [Buffer.from("second")]);
  expect(read()).toEqual(["second"]);
});
