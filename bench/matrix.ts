import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryCheckpointLog } from "../lib/checkpoint/memory-checkpoint-log.js";
import { memoryObjectStore } from "../lib/checkpoint/memory-object-store.js";
import { seededRandom } from "../lib/local/seeded-random.js";
import type { Row } from "../lib/plan/schema.js";
import { openStreamingQuery } from "../lib/runtime/open-streaming-query.js";
import { PARQUET } from "../lib/sinks/parquet-format.js";
import { fileBatches } from "../lib/sources/files.js";
import { type KinesisEvent, kinesisDeliveries } from "../lib/sources/kinesis-event.js";
import { settleYoungObjects } from "./collect-garbage.js";
import { type Figure, median } from "./figure.js";
import { BASE } from "./kinesis-events.js";
import { MATRIX, type MatrixQuery } from "./matrix-queries.js";
import { portsWithoutCheckpoint } from "./page-views.js";

const ROWS = 10_000;
const ROUNDS = 12;
const WARM_UP = 6;
/** Half a window a round, as in the other figures. */
const STEP_MS = 150_000;
const SPREAD_MS = 600_000;

/**
 * Whole micro-batches of every query of the matrix beside base64 and JSON.parse of the same records, in turns. A ratio below 1: the query is
 * answered in less than parsing its records alone takes.
 */
export async function matrix(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const query of MATRIX) figures.push(await ofQuery(query));
  const files = await mkdtemp(join(tmpdir(), "tidemark-matrix-"));
  try {
    for (const kind of ["jsonl", "csv", "parquet"] as const) figures.push(await ofFile(files, kind));
  } finally {
    await rm(files, { recursive: true, force: true });
  }
  return figures;
}

async function ofQuery(query: MatrixQuery): Promise<Figure> {
  const streaming = await open(query.definition);
  const ratios: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const event = eventOf(query, round);
    const floor = await cpu(() => parse(event));
    const batch = await cpu(async () => {
      await streaming.processBatch(kinesisDeliveries(event, (name) => name));
    });
    if (round >= WARM_UP) ratios.push(batch / floor);
  }
  return { name: `${query.name}: whole micro-batch / parse alone`, value: median(ratios), unit: "", budget: null };
}

const open = (definition: MatrixQuery["definition"]) =>
  openStreamingQuery(definition, {
    ...portsWithoutCheckpoint(),
    log: memoryCheckpointLog(Date.now),
    objects: memoryObjectStore(Date.now),
  });

/** Files take no base64: their floor is JSON.parse of the same rows, each from its bytes. */
async function ofFile(directory: string, kind: "jsonl" | "csv" | "parquet"): Promise<Figure> {
  const { draws, definition } = MATRIX[0]!;
  const count = ROWS * 12;
  const random = seededRandom(1);
  const rows = Array.from({ length: count }, (_, i) => draws["views"]!(random, timeOf(random, i / ROWS), i) as Row);
  const path = join(directory, `rows.${kind}`);
  const { schema } = sourceOf(definition);
  const lines = rows.map((row) => Buffer.from(JSON.stringify(row)));
  const csv = [schema.fields.map(({ name }) => name).join(",")];
  for (const row of rows) csv.push(schema.fields.map(({ name }) => String(row[name])).join(","));
  const typed = () => rows.map((row) => ({ ...row, eventTime: Date.parse(row["eventTime"] as string) }));
  const bytes = {
    jsonl: () => Buffer.concat(lines.flatMap((line) => [line, Buffer.from("\n")])),
    csv: () => csv.join("\n"),
    parquet: () => PARQUET.encode(typed(), schema),
  };
  await writeFile(path, bytes[kind]());
  const ratios: number[] = [];
  for (let round = 0; round < 5; round++) {
    const streaming = await open(definition);
    const floor = await cpu(() => {
      for (const line of lines) JSON.parse(line.toString());
    });
    const run = await cpu(async () => {
      for await (const records of fileBatches({ paths: [path], schema, batchSize: ROWS }))
        await streaming.processBatch([{ source: "views", shard: "input", stream: path, records }]);
    });
    if (round > 0) ratios.push(run / floor);
  }
  return {
    name: `tumbling over ${kind} files, reading included / parse alone`,
    value: median(ratios),
    unit: "",
    budget: null,
  };
}

function sourceOf({ plan }: MatrixQuery["definition"]) {
  let node = plan;
  while ("input" in node) node = node.input;
  return node;
}

const timeOf = (random: () => number, round: number): string =>
  new Date(BASE + Math.floor(round * STEP_MS + random() * SPREAD_MS)).toISOString();

/** Streams in turns, one shard each. */
function eventOf({ draws }: MatrixQuery, round: number): KinesisEvent {
  const random = seededRandom(round);
  const streams = Object.entries(draws);
  return {
    Records: Array.from({ length: ROWS }, (_, i) => {
      const [name, draw] = streams[i % streams.length]!;
      const drawn = draw(random, timeOf(random, round), round * ROWS + i);
      const sequenceNumber = String(1_000_000 + round * ROWS + i);
      return {
        eventID: `shardId-000000000000:${sequenceNumber}`,
        eventSourceARN: `arn:aws:kinesis:us-east-1:000000000000:stream/${name}`,
        kinesis: {
          sequenceNumber,
          partitionKey: "p",
          data: Buffer.from(typeof drawn === "string" ? drawn : JSON.stringify(drawn)).toString("base64"),
          approximateArrivalTimestamp: (BASE + round * STEP_MS + SPREAD_MS) / 1000,
        },
      };
    }),
  };
}

function parse({ Records }: KinesisEvent): void {
  for (const { kinesis } of Records) JSON.parse(Buffer.from(kinesis.data, "base64").toString());
}

async function cpu(work: () => void | Promise<void>): Promise<number> {
  settleYoungObjects();
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
