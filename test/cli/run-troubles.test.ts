import { Buffer } from "node:buffer";
import { expect, test } from "vitest";
import { cli, VIEWS, workspace } from "./support.js";

const LINES = Array.from(
  { length: 200 },
  (_, i) => `{"at":"2024-03-01T12:${String(i % 60).padStart(2, "0")}:00Z","page":"/"}`,
);

async function run(name: string, content: string, ...args: readonly string[]) {
  const { file } = workspace();
  return cli(["run", file("views.ts", VIEWS), "--input", file(name, content), "--json", "--drain", ...args]);
}

test("TRIALS-2 D1: a run of which nothing lands says why, and a script sees it", async () => {
  const { code, stderr, stdout } = await run("v.jsonl", LINES.map((line) => line.replace('"at"', '"At"')).join("\n"));
  expect(code).toBe(3);
  expect(stderr).toContain("Nothing landed: of 200 records 200 were malformed, 0 late, 0 filtered out.");
  expect(stderr).toContain("200 × no-event-time: 'at' is missing; the record has 'At'");
  expect(stderr).toMatch(/The first 200 records of .*v\.jsonl lack 'at' \(it has 'At'\); they have At, page\./);
  const malformed = stdout.split("\n").find((line) => line.includes('"malformed"'))!;
  expect(Buffer.from(JSON.parse(malformed).row.payload, "base64").toString()).toContain('"At":"2024-03-01T12:00:00Z"');
});

test("TRIALS-2 C4: a header without a declared column is a word and an exit code", async () => {
  const { code, stderr } = await run("v.csv", "at,pages\n2024-03-01T12:01:00Z,/\n");
  expect(code).toBe(3);
  expect(stderr).toMatch(/v\.csv lacks 'page' \(it has 'pages'\); its columns are at, pages\./);
  expect((await run("v.csv", "AT;Page\n2024-03-01T12:01:00Z;/\n", "--option", "sep=;")).code).toBe(0);
  expect(await run("v.csv", "at,page\n", "--option", "separator=;")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("option-unknown"),
  });
});

test("one bad row among many is told, and changes the exit code only under --strict", async () => {
  const content = [...LINES, "{"].join("\n");
  const lax = await run("v.jsonl", content);
  expect(lax.code).toBe(0);
  expect(lax.stderr).toContain("1 × not-json: … bytes that are not one JSON value");
  expect((await run("v.jsonl", content, "--strict")).code).toBe(3);
  expect((await run("v.jsonl", LINES.join("\n"), "--strict")).code).toBe(0);
});

test("TRIALS-2 C6: times before 1990, and those of years ahead, are warned of", async () => {
  const seconds = LINES.map((_, i) => `{"at":${1_700_000_000 + i},"page":"/"}`).join("\n");
  const { code, stderr } = await run("v.jsonl", seconds);
  expect(code).toBe(0);
  expect(stderr).toContain(
    'Event times go back to 1970-01-20T16:13:20Z, before 1990: numbers that are seconds need timestamp("seconds").',
  );
  const ahead = await run("v.jsonl", '{"at":"2999-01-01","page":"/"}');
  expect(ahead.stderr).toContain("Event times go up to 2999-01-01T00:00:00Z, years ahead of the clock");
});
