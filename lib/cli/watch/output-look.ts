import { gunzipSync } from "node:zlib";
import type { ObjectStore } from "../../checkpoint/object-store.js";
import type { SinkConnector } from "../../plan/connectors/sink-connector.js";
import type { LateMark, OutputKind, OutputLine } from "../../ui/messages.js";

const MAX_TEXT = 4_096;
/** Of objects that were there before the first look, and of those of one look. */
const MAX_OBJECTS = 60;

/** Reads the rows that a query has written to its bucket, as anybody would who is given it: list, fetch, unzip, split. */
export interface OutputLook {
  /** Rows of objects that were not there at the last call, the newest where there are many. */
  newRows(output: OutputKind): Promise<readonly OutputLine[]>;
  /** Where an output stands; null: not in a bucket. */
  place(output: OutputKind): string | null;
}

interface OutputLookOptions {
  readonly query: string;
  readonly sink: SinkConnector;
  /** Of the deployment: side outputs stand there, whatever the sink. */
  readonly bucket: string;
  readonly storeOf: (bucket: string) => ObjectStore;
}

const SIDE: Readonly<Record<OutputKind, string>> = { result: "", late: ".late", malformed: ".malformed" };

export function outputLook({ query, sink, bucket, storeOf }: OutputLookOptions): OutputLook {
  const seen = new Set<string>();
  const isS3 = sink.kind === "s3";
  const prefix = isS3 && sink.prefix !== undefined && sink.prefix !== "" ? `${sink.prefix.replace(/\/+$/, "")}/` : "";
  const ownBucket = isS3 ? (sink.bucket ?? bucket) : bucket;
  const folder = (output: OutputKind) => `${prefix}${query}${SIDE[output]}/`;
  const stands = (output: OutputKind) => isS3 || output !== "result";
  return {
    place: (output) => (stands(output) ? `s3://${ownBucket}/${folder(output)}` : null),
    async newRows(output) {
      if (!stands(output)) return [];
      const store = storeOf(ownBucket);
      const fresh: string[] = [];
      for await (const { key } of store.list(folder(output))) {
        if (seen.has(key) || !key.endsWith(".jsonl.gz")) continue;
        seen.add(key);
        fresh.push(key);
      }
      const rows: OutputLine[] = [];
      for (const key of fresh.slice(-MAX_OBJECTS)) {
        const body = await store.get(key);
        if (body !== null) rows.push(...linesOf(body, `s3://${ownBucket}/${key}`, output));
      }
      return rows;
    },
  };
}

function linesOf(body: Uint8Array, object: string, output: OutputKind): readonly OutputLine[] {
  const batchId = /-(\d+)[^/]*$/.exec(object)?.[1];
  return gunzipSync(body)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({
      text: line.length > MAX_TEXT ? line.slice(0, MAX_TEXT) : line,
      length: line.length,
      object,
      batchId: batchId === undefined ? null : Number(batchId),
      ...(output === "late" ? { late: lateMark(line) } : {}),
    }));
}

interface StoredLateRow {
  readonly source: { readonly shard: string; readonly sequence: string } | null;
  readonly eventTime: string | null;
  readonly lateByMs: number | null;
  readonly missedWindows: readonly { readonly start: string; readonly end: string }[];
}

function lateMark(line: string): LateMark {
  const { source, eventTime, lateByMs, missedWindows } = JSON.parse(line) as StoredLateRow;
  return {
    shard: source?.shard ?? null,
    sequence: source?.sequence ?? null,
    eventTime: eventTime === null ? null : Date.parse(eventTime),
    lateByMs,
    missed: missedWindows.map(({ start, end }) => [Date.parse(start), Date.parse(end)] as const),
  };
}
