import { mkdir, open, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { unlessMissing } from "../checkpoint/versioned-file.js";
import { userError } from "../errors.js";
import { jsonLines } from "../sinks/json-lines.js";
import { type OutboxPart, type OutputName, type PublishIdentity, type Sink, staging } from "../sinks/sink.js";
import { stagedFor } from "../sinks/staged-for.js";

/** The last part that a file holds, and its length then. */
interface Written {
  readonly batchId: number;
  /** Within the batch; ledgers of before have none: batches were written whole. */
  readonly firstRow?: number;
  readonly size: number;
}

/** How far each file is whole: what stands behind `size` is the torn end of a publication, and is cut off. */
interface Ledger {
  readonly query: string;
  readonly incarnation: string;
  readonly outputs: Readonly<Partial<Record<OutputName, Written>>>;
}

const FILES = "files:";

/** The file sink of a target, if it is one's. */
export const fileSinkOf = (target: string): Sink | null =>
  target.startsWith(FILES) ? fileSink(target.slice(FILES.length)) : null;

const LEDGER = ".tidemark.json";

/**
 * `result.jsonl`, `late.jsonl` and `malformed.jsonl` in a directory, batch after batch, each batch exactly once: a ledger beside them
 * says which batch they hold and how long they were then, and publications come in ascending order (protocol.md rule 8).
 */
export function fileSink(directory: string): Sink {
  return {
    kind: "jsonl",
    target: `${FILES}${resolve(directory)}`,
    stage: (batch) =>
      batch.rows.length === 0
        ? []
        : [
            {
              output: batch.output,
              sink: "jsonl",
              ...staging(batch, false),
              bytes: jsonLines(batch.rows, batch.schema),
            },
          ],
    async publish(identity, parts) {
      let ledger = await readLedger(directory, identity);
      for (const part of stagedFor("jsonl", parts)) ledger = await append(directory, ledger, identity, part);
    },
  };
}

async function append(
  directory: string,
  ledger: Ledger,
  { batchId }: PublishIdentity,
  { output, firstRow = 0, bytes }: OutboxPart,
): Promise<Ledger> {
  const { size, ...last } = ledger.outputs[output] ?? { batchId: 0, size: 0 };
  if (batchId < last.batchId || (batchId === last.batchId && firstRow <= (last.firstRow ?? 0))) return ledger;
  const file = await open(join(directory, `${output}.jsonl`), "a");
  try {
    await file.truncate(size);
    await file.appendFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  const outputs = { ...ledger.outputs, [output]: { batchId, firstRow, size: size + bytes.byteLength } };
  const next = { ...ledger, outputs };
  await writeLedger(directory, next);
  return next;
}

async function readLedger(directory: string, { query, incarnation }: PublishIdentity): Promise<Ledger> {
  const text = await unlessMissing(readFile(join(directory, LEDGER), "utf8"), null);
  if (text === null) {
    await requireUnused(directory);
    const ledger: Ledger = { query, incarnation, outputs: {} };
    await mkdir(directory, { recursive: true });
    await writeLedger(directory, ledger);
    return ledger;
  }
  const ledger = JSON.parse(text) as Ledger;
  if (ledger.query === query && ledger.incarnation === incarnation) return ledger;
  throw outputExists(directory);
}

/** @throws `output-exists` */
export async function requireUnused(directory: string): Promise<void> {
  const files = await unlessMissing(readdir(directory), []);
  if (files.some((file) => file.endsWith(".jsonl") || file === LEDGER)) throw outputExists(directory);
}

async function writeLedger(directory: string, ledger: Ledger): Promise<void> {
  const temporary = join(directory, `${LEDGER}.new`);
  await writeFile(temporary, JSON.stringify(ledger));
  await rename(temporary, join(directory, LEDGER));
}

const outputExists = (directory: string) =>
  userError(
    "output-exists",
    `'${directory}' holds the output of another run.`,
    "Name an empty directory; or resume that run with its --checkpoint.",
  );
