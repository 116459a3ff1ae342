import { expect, test } from "vitest";
import { cli, workspace } from "./support.js";

const QUERY = `
import { columns, count, files, memory, readStream, string, timestamp, window } from "tidemark";
export const q = readStream(files({
  name: "logs",
  schema: columns({ at: timestamp("seconds"), level: string() }),
  metadata: { ordinal: "sequence" },
  decode: (bytes) => JSON.parse(new TextDecoder().decode(bytes)).events,
}))
  .withWatermark("at", "1 minute")
  .groupBy(window("at", "1 minute"), "ordinal")
  .agg({ n: count() })
  .writeStream({ queryName: "logs", outputMode: "append", sink: memory() });
`;

test("TRIALS-2 C7: rows of one record are rows of one record in the books, over the whole path", async () => {
  const { file } = workspace();
  const lines = [
    '{"events":[{"at":0,"level":"a"},{"at":1,"level":"b"}]}',
    '{"events":[]}',
    '{"events":[{"at":2}]}',
    "{}",
    "[",
  ];
  const args = ["run", file("q.ts", QUERY), "--input", file("l.jsonl", lines.join("\n")), "--json", "--drain"];
  const { stdout, stderr, code } = await cli(args);
  const rows = stdout
    .split("\n")
    .filter((line) => line.startsWith('{"output":"result"'))
    .map((line) => JSON.parse(line).row);
  expect(rows.map(({ ordinal, n }) => [ordinal, n]).sort()).toEqual([
    ["1", 2],
    ["3", 1],
  ]);
  expect(JSON.parse(stdout.trim().split("\n").at(-1)!).summary).toMatchObject({ records: 5, rows: 3, malformed: 1 });
  expect(stderr).toContain("1 × not-decoded: decode threw SyntaxError");
  expect(code).toBe(0);
});
