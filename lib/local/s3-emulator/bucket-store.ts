import { type AppendLog, openAppendLog, replaceLog } from "../append-log.js";
import { Bucket, type StoredObject } from "./bucket.js";

type Header =
  | { readonly op: "bucket" | "drop"; readonly bucket: string }
  | { readonly op: "put"; readonly bucket: string; readonly key: string; readonly object: Omit<StoredObject, "body"> }
  | { readonly op: "delete"; readonly bucket: string; readonly key: string };

/** The buckets, and every change of them written down where there is a log. */
export interface BucketStore {
  readonly buckets: ReadonlyMap<string, Bucket>;
  createBucket(name: string): void;
  dropBucket(name: string): void;
  put(bucket: string, key: string, object: StoredObject): void;
  delete(bucket: string, key: string): void;
  close(): void;
}

export function openBucketStore(journalPath?: string): BucketStore {
  const buckets = new Map<string, Bucket>();
  const log = journalPath === undefined ? undefined : openJournal(journalPath, buckets);
  const change = (header: Header, body?: Buffer) => {
    apply(buckets, header, body);
    log?.append(encode(header, body));
  };
  return {
    buckets,
    createBucket: (bucket) => change({ op: "bucket", bucket }),
    dropBucket: (bucket) => change({ op: "drop", bucket }),
    put: (bucket, key, { body, ...object }) => change({ op: "put", bucket, key, object }, body),
    delete(bucket, key) {
      if (buckets.get(bucket)?.get(key)) change({ op: "delete", bucket, key });
    },
    close: () => log?.close(),
  };
}

function openJournal(path: string, buckets: Map<string, Bucket>): AppendLog {
  let frames = 0;
  openAppendLog(path, (bytes) => {
    frames += 1;
    const { header, body } = decode(bytes);
    apply(buckets, header, body);
  }).close();
  const live = [...buckets.values()].reduce((sum, bucket) => sum + bucket.size + 1, 0);
  if (frames > 2 * live) replaceLog(path, liveFrames(buckets));
  return openAppendLog(path, () => {});
}

function apply(buckets: Map<string, Bucket>, header: Header, body: Buffer = Buffer.alloc(0)): void {
  switch (header.op) {
    case "bucket":
      buckets.set(header.bucket, new Bucket());
      return;
    case "drop":
      buckets.delete(header.bucket);
      return;
    case "put":
      buckets.get(header.bucket)!.set(header.key, { ...header.object, body });
      return;
    case "delete":
      buckets.get(header.bucket)!.delete(header.key);
  }
}

function* liveFrames(buckets: ReadonlyMap<string, Bucket>): Generator<Uint8Array> {
  for (const [name, bucket] of buckets) {
    yield encode({ op: "bucket", bucket: name });
    for (const key of bucket.keys()) {
      const { body, ...object } = bucket.get(key)!;
      yield encode({ op: "put", bucket: name, key, object }, body);
    }
  }
}

/** Length of the JSON header (4 bytes, little endian), the header, the object's bytes as they are. */
function encode(header: Header, body: Buffer = Buffer.alloc(0)): Buffer {
  const json = Buffer.from(JSON.stringify(header), "utf8");
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, body]);
}

function decode(frame: Buffer): { readonly header: Header; readonly body: Buffer } {
  const end = 4 + frame.readUInt32LE(0);
  return { header: JSON.parse(frame.toString("utf8", 4, end)) as Header, body: frame.subarray(end) };
}
