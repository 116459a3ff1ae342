import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { fileSink } from "../../lib/cli/file-sink.js";
import type { Schema } from "../../lib/plan/schema.js";
import type { OutputName } from "../../lib/sinks/sink.js";

const schema: Schema = { fields: [{ name: "n", type: "long", nullable: true }] };
let directory: string | undefined;
afterEach(() => rm(directory ?? "", { recursive: true, force: true }));

it("keeps the rows of every output, also of batches that publish several at once, and writes none twice", async () => {
  directory = await mkdtemp(join(tmpdir(), "tidemark-"));
  const sink = fileSink(directory);
  const staged = (n: number) =>
    (["result", "late"] as const satisfies readonly OutputName[]).flatMap((output) =>
      sink.stage({ output, rows: [{ n }], schema, outputMode: "append", timeColumn: null, arrival: 0 }),
    );
  const publish = (batchId: number) =>
    sink.publish({ query: "q", incarnation: "1", partition: 0, batchId }, staged(batchId));
  for (const batchId of [1, 2, 2, 1, 3]) await publish(batchId);
  for (const output of ["result", "late"]) {
    expect(await readFile(join(directory, `${output}.jsonl`), "utf8")).toBe('{"n":1}\n{"n":2}\n{"n":3}\n');
  }
});
