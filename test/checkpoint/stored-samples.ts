import { decodeDelta, encodeDelta } from "../../lib/checkpoint/delta-codec.js";
import { decodeEntry, encodeEntry, type LogEntry } from "../../lib/checkpoint/entry-codec.js";
import { decodeManifest, encodeManifest, type Manifest } from "../../lib/checkpoint/manifest-codec.js";
import { decodeMeta, encodeMeta, type Meta } from "../../lib/checkpoint/meta-codec.js";
import { decodePack, encodePack, type OutboxStep } from "../../lib/checkpoint/outbox-codec.js";
import type { Registers } from "../../lib/checkpoint/registers.js";
import { decodeBody, decodeHead, encodeBody, encodeRecord } from "../../lib/shuffle/shuffle-codec.js";
import { decodeRow, encodeRow } from "../../lib/state/row-codec.js";
import { REMOVE, type StateDelta } from "../../lib/state/state-delta.js";

/**
 * One stored file per format and version, in `test/samples`. They are never written again: what a user's
 * checkpoint holds today must be readable by every later version. A new version of a format adds an entry and a file.
 */
export interface Sample<Value> {
  readonly name: string;
  readonly value: Value;
  readonly encode: (value: Value) => Uint8Array;
  readonly decode: (bytes: Uint8Array) => Value;
}

const at = (sequence: string, sub = 0) => ({ sequence, sub });

const registers: Registers = {
  perNodeWatermark: { "clicks:eventTime": 1_700_000_000_000, "idle:eventTime": Number.NEGATIVE_INFINITY },
  perShard: {
    "clicks/shardId-000000000000": {
      readThrough: 1_700_000_000_500,
      newestArrival: 1_700_000_000_500,
      silentSince: 1_699_999_999_000,
      steps: { "clicks:eventTime": [{ arrival: 1_700_000_000_500, maxEventTime: 1_700_000_000_123.456 }] },
    },
  },
  shardList: { clicks: [{ shard: "shardId-000000000000", parents: [], drained: true }] },
  processingTime: 1_700_000_000_600,
  oldestExpiry: 1_700_000_300_000_000,
  nextTimer: null,
  drained: false,
  // Version 1 had no such field: none.
  retired: {},
  rings: {},
};

const retired: Registers = { ...registers, retired: { "clicks/shardId-000000000007": 1_699_990_000_000 } };

const rings: Registers = {
  ...retired,
  rings: { "clicks/shardId-000000000000": { batchId: 12, part: 1, parts: 2, closedAt: 1_700_000_000_700 } },
};

const entry: LogEntry = {
  batchId: 65,
  attemptId: "attempt",
  generation: 3,
  offsets: [
    { shard: "clicks/0", first: at("49671033210893751096840397430000000000000000000000000002"), last: at("50", 7) },
  ],
  registers,
  lastPassWatermark: Number.NEGATIVE_INFINITY,
  watermark: 1_700_000_000_000,
  delta: { inline: Uint8Array.of(1, 2, 3) },
  outbox: [{ blob: { key: "checkpoints/q/001700000000000/0/outbox-a" }, steps: null }],
  publishedThrough: 64,
  progress: { batchId: 65, numInputRows: 2 },
};

const manifest: Manifest = {
  version: 64,
  generation: 3,
  offsets: new Map([["clicks/0", { through: at("9"), runs: [{ first: at("12"), last: at("14", 1) }] }]]),
  registers,
  lastPassWatermark: 1_699_999_000_000,
  watermark: 1_700_000_000_000,
  segments: [
    { bucket: 472_222, asOf: 32, blob: { key: "checkpoints/q/001700000000000/0/segment-a" }, bytes: 12 },
    { bucket: null, asOf: 64, blob: { inline: Uint8Array.of(9) }, bytes: 1 },
  ],
  runs: [
    {
      first: 33,
      last: 64,
      blob: { key: "checkpoints/q/001700000000000/0/run-b" },
      bytes: 7,
      buckets: [472_222, null],
      expiredThrough: Number.NEGATIVE_INFINITY,
    },
  ],
};

const delta: StateDelta = new Map([
  [
    "aggregate-1/groups",
    {
      expiredThrough: 1_700_000_000_000_000,
      changes: new Map([
        [
          1_700_000_300_000_000,
          new Map([
            ["/away", REMOVE],
            ["/cart", { kind: "put", value: [3, 4500], fresh: false, order: 0 }],
            ["/home", { kind: "put", value: [1, -1], fresh: true, order: 0 }],
          ]),
        ],
      ]),
    },
  ],
  [
    "join-1/left",
    {
      expiredThrough: Number.NEGATIVE_INFINITY,
      changes: new Map([
        [null, new Map([["a\u00001", { kind: "put", value: { name: "ü\ud800", at: 0.125 }, fresh: true, order: 41 }]])],
      ]),
    },
  ],
]);

const meta: Meta = {
  incarnation: "001700000000000",
  statePartitions: 1,
  fingerprint: "0123456789abcdef0123456789abcdef",
  stateSchema: {
    version: 1,
    outputMode: "append",
    operators: [{ id: "aggregate-1", kind: "aggregate", keys: ["window", "string"], value: ["count(): long"] }],
  },
  watermarkPolicy: "min",
  lateRule: "state",
  generation: 3,
};

const counts = { kind: "aggregate", keys: ["window", "string"], value: ["count(): bigint"] };

/** Of a former version, which told two equal operators without ids apart by their order. */
const metaOfEquals: Meta = {
  incarnation: "000000001000000",
  statePartitions: 1,
  fingerprint: "350879919158d841be1b442d2cfed6ad",
  stateSchema: {
    version: 1,
    outputMode: "append",
    operators: [
      { id: "aggregate:42fd73cb", ...counts },
      { id: "aggregate:42fd73cb-2", ...counts },
    ],
  },
  watermarkPolicy: "min",
  lateRule: "state",
  generation: 1,
};

const metaOfUnion: Meta = {
  ...metaOfEquals,
  sink: '{"bucket":"results","kind":"s3","prefix":"views/"}',
  stateSchema: {
    version: 2,
    outputMode: "append",
    operators: [
      { id: "named", ...counts, from: ["web"], feed: "0a1b2c3d", keyedBy: ["t", "src"], accumulators: ["count()"] },
    ],
    sources: [{ name: "web", kind: "kinesis", place: "web-views" }],
  },
};

const staged = [
  { output: "result" as const, sink: "s3", target: metaOfUnion.sink!, dt: "2023-11-14", bytes: Uint8Array.of(31, 139) },
];

const row: unknown = {
  array: [
    null,
    true,
    false,
    0,
    -1,
    2 ** 53 - 1,
    -(2 ** 53 - 1),
    0.1,
    -0,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 60,
  ],
  bigint: -(2n ** 70n),
  bytes: Uint8Array.of(0, 255),
  date: new Date(1_700_000_000_000),
  eventTime: 1_700_000_000_000.123,
  text: "ascii, ü, 😀, \u0000",
  lone: "\ud800",
  nested: { a: { b: [[]] } },
};

/** A record between the stages: it lives for days, over deploys. */
const shuffled = {
  head: {
    format: 1 as const,
    query: "q",
    incarnation: "001700000000000",
    generation: 3,
    partition: 2,
    source: "clicks",
    shard: "shardId-000000000000",
    batchId: 1,
    part: 1,
    parts: 1,
    rows: 2,
    heads: { "shardId-000000000007": 4 },
  },
  body: {
    stream: "clicks-stream",
    inputs: [
      {
        input: "1:clicks",
        rows: [
          { at: 1_700_000_000_123.456, user: "ü" },
          { at: null, user: null },
        ],
        origins: [
          { ...at("49671033210893751096840397430000000000000000000000000002"), arrival: 1_700_000_000_500 },
          { ...at("50", 7), arrival: null },
        ],
      },
    ],
    marker: {
      register: registers.perShard["clicks/shardId-000000000000"]!,
      newestArrival: 1_700_000_000_500,
      list: [{ shard: "shardId-000000000000", parents: ["shardId-000000000007"] }],
    },
  },
};
const shuffledSchema = () => ({
  fields: [
    { name: "at", type: "timestamp" as const, nullable: true },
    { name: "user", type: "string" as const, nullable: true },
  ],
});
const encodeShuffled = ({ head, body }: typeof shuffled) => encodeRecord(head, encodeBody(body, shuffledSchema));
const decodeShuffled = (bytes: Uint8Array) => {
  const { head, body } = decodeHead(bytes);
  return { head, body: decodeBody(body, shuffledSchema) } as typeof shuffled;
};

const sample = <Value>(s: Sample<Value>): Sample<unknown> => s as Sample<unknown>;

export const samples: readonly Sample<unknown>[] = [
  sample({
    name: "entry-v1",
    value: entry,
    encode: (value) => encodeEntry(value).body,
    decode: (body) => decodeEntry({ batchId: 65, attemptId: "attempt", generation: 3, body }),
  }),
  sample({
    name: "entry-v2",
    value: { ...entry, registers: retired },
    encode: (value) => encodeEntry(value).body,
    decode: (body) => decodeEntry({ batchId: 65, attemptId: "attempt", generation: 3, body }),
  }),
  sample({
    name: "entry-v4",
    value: { ...entry, registers: rings },
    encode: (value) => encodeEntry(value).body,
    decode: (body) => decodeEntry({ batchId: 65, attemptId: "attempt", generation: 3, body }),
  }),
  sample({
    name: "manifest-v4",
    value: { ...manifest, registers: rings },
    encode: encodeManifest,
    decode: decodeManifest,
  }),
  sample({ name: "shuffle-record-v1", value: shuffled, encode: encodeShuffled, decode: decodeShuffled }),
  sample({
    name: "manifest-v2",
    value: { ...manifest, registers: retired },
    encode: encodeManifest,
    decode: decodeManifest,
  }),
  sample({ name: "manifest-v1", value: manifest, encode: encodeManifest, decode: decodeManifest }),
  sample({ name: "delta-v1", value: delta, encode: encodeDelta, decode: decodeDelta as (b: Uint8Array) => StateDelta }),
  sample({
    name: "outbox-v1",
    // One step per part since there are steps; written by what is here for good.
    value: [
      [{ output: "result" as const, sink: "s3", dt: "2023-11-14", bytes: Uint8Array.of(31, 139) }],
      [{ output: "late" as const, sink: "memory", bytes: new Uint8Array() }],
    ],
    encode: encodePack,
    decode: decodePack as (bytes: Uint8Array) => OutboxStep[],
  }),
  sample({
    name: "outbox-v2",
    value: [
      [
        {
          output: "result" as const,
          sink: "s3",
          dt: "2023-11-14",
          extension: "parquet",
          bytes: Uint8Array.of(31, 139),
        },
        { output: "result" as const, sink: "s3", dt: "2023-11-15", joins: true as const, bytes: Uint8Array.of(31) },
      ],
      [{ output: "result" as const, sink: "s3", dt: "2023-11-14", firstRow: 9_000, bytes: Uint8Array.of(140) }],
      [{ output: "late" as const, sink: "memory", bytes: new Uint8Array() }],
    ],
    encode: encodePack,
    decode: decodePack as (bytes: Uint8Array) => OutboxStep[],
  }),
  sample<LogEntry>({
    name: "entry-v3",
    value: {
      ...entry,
      registers: retired,
      outbox: [
        { blob: { key: "checkpoints/q/001700000000000/0/outbox-a" }, steps: 12 },
        { blob: { inline: Uint8Array.of(7, 8) }, steps: 1 },
      ],
    },
    encode: (value) => encodeEntry(value).body,
    decode: (body) => decodeEntry({ batchId: 65, attemptId: "attempt", generation: 3, body }),
  }),
  sample({ name: "meta-v1", value: meta, encode: encodeMeta, decode: decodeMeta }),
  sample({ name: "meta-v2", value: metaOfUnion, encode: encodeMeta, decode: decodeMeta }),
  sample({ name: "meta-v1-equals", value: metaOfEquals, encode: encodeMeta, decode: decodeMeta }),
  sample({
    name: "outbox-v2-target",
    value: [staged],
    encode: encodePack,
    decode: decodePack as (bytes: Uint8Array) => OutboxStep[],
  }),
  sample({ name: "row-v1", value: row, encode: encodeRow, decode: decodeRow }),
];
