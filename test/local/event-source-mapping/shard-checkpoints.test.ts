import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openShardCheckpoints } from "../../../lib/local/event-source-mapping/shard-checkpoints.js";

test("the last checkpoint of each shard is there after reopening, without a close", () => {
  const directory = mkdtempSync(join(tmpdir(), "tidemark-test-"));
  const path = join(directory, "mapping.log");
  try {
    const first = openShardCheckpoints(path);
    expect(first.empty).toBe(true);
    first.set("a", { through: "1" });
    first.set("a", { through: "2" });
    first.set("b", { drained: true });
    const second = openShardCheckpoints(path);
    expect(second.empty).toBe(false);
    expect([second.get("a"), second.get("b"), second.get("c")]).toEqual([
      { through: "2" },
      { drained: true },
      undefined,
    ]);
    first.close();
    second.close();
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("without a path they last as long as the process", () => {
  const checkpoints = openShardCheckpoints();
  expect(checkpoints.empty).toBe(true);
  checkpoints.set("a", { through: "1" });
  expect(checkpoints.get("a")).toEqual({ through: "1" });
  expect(checkpoints.empty).toBe(false);
});
