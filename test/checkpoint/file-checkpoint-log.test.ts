import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileCheckpointLog } from "../../lib/checkpoint/file-checkpoint-log.js";
import { checkpointLogContract } from "../contract/checkpoint-log.js";

const directory = mkdtempSync(join(tmpdir(), "tidemark-log-"));
let made = 0;

checkpointLogContract("files", {
  make: (clock) => fileCheckpointLog(join(directory, String(++made)), () => clock.now),
  stop: async () => rmSync(directory, { recursive: true }),
});
