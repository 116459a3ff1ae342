import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LoopbackServer } from "../../../lib/local/loopback-server.js";
import { startS3Emulator } from "../../../lib/local/s3-emulator/s3-emulator.js";

const Bucket = "data";
const connect = (endpoint: string) =>
  new S3Client({
    endpoint,
    forcePathStyle: true,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 1,
  });

let server: LoopbackServer;
let client: S3Client;
beforeAll(async () => {
  server = await startS3Emulator();
  client = connect(server.endpoint);
  await client.send(new CreateBucketCommand({ Bucket }));
});
afterAll(async () => {
  client.destroy();
  await server.stop();
});

const put = (Key: string, Body: string | Uint8Array, more: object = {}) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const get = async (Key: string, more: object = {}) =>
  (await client.send(new GetObjectCommand({ Bucket, Key, ...more }))).Body!.transformToString();
const nameOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "no error",
    (error: Error) => error.name,
  );

test("an object comes back with its bytes, type, encoding and metadata", async () => {
  const Body = new Uint8Array(300_000).map((_, i) => i % 251);
  await put("a/ü &<key>+%.bin", Body, {
    ContentType: "application/x-test",
    ContentEncoding: "gzip",
    Metadata: { query: "q" },
  });
  const object = await client.send(new GetObjectCommand({ Bucket, Key: "a/ü &<key>+%.bin" }));
  expect(Buffer.compare(await object.Body!.transformToByteArray(), Body)).toBe(0);
  expect(object.ContentType).toBe("application/x-test");
  expect(object.ContentEncoding).toBe("gzip");
  expect(object.Metadata).toEqual({ query: "q" });
  const head = await client.send(new HeadObjectCommand({ Bucket, Key: "a/ü &<key>+%.bin" }));
  expect(head.ContentLength).toBe(300_000);
  expect(head.ETag).toBe(object.ETag);
});

test("a streamed body is stored without its transfer framing", async () => {
  const chunks = ["first,", "second,", "x".repeat(100_000)];
  const Body = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  await client.send(
    new PutObjectCommand({ Bucket, Key: "stream", Body, ContentLength: 100_013, ContentEncoding: "br" }),
  );
  expect(await get("stream")).toBe(chunks.join(""));
  const head = await client.send(new HeadObjectCommand({ Bucket, Key: "stream" }));
  expect(head.ContentEncoding).toBe("br");
});

test("missing keys are no error to delete and NoSuchKey to get", async () => {
  await client.send(new DeleteObjectCommand({ Bucket, Key: "missing" }));
  expect(await nameOf(get("missing"))).toBe("NoSuchKey");
  expect(await nameOf(client.send(new HeadObjectCommand({ Bucket, Key: "missing" })))).toBe("NotFound");
  expect(await nameOf(client.send(new ListObjectsV2Command({ Bucket: "nowhere" })))).toBe("NoSuchBucket");
});

test("of twenty puts with If-None-Match one wins", async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => put("race", `${n}`, { IfNoneMatch: "*" })),
  );
  const won = results.flatMap((result, n) => (result.status === "fulfilled" ? [n] : []));
  expect(won).toHaveLength(1);
  expect(await get("race")).toBe(`${won[0]}`);
  const lost = results.find((result) => result.status === "rejected");
  expect((lost as PromiseRejectedResult).reason.name).toBe("PreconditionFailed");
});

test("If-Match replaces only what was read", async () => {
  const { ETag } = await put("cas", "1");
  await put("cas", "2", { IfMatch: ETag });
  expect(await nameOf(put("cas", "3", { IfMatch: ETag }))).toBe("PreconditionFailed");
  expect(await nameOf(put("cas-missing", "3", { IfMatch: ETag }))).toBe("NoSuchKey");
  expect(await get("cas")).toBe("2");
});

test("ranges are served, also from the end, and refused beyond it", async () => {
  await put("range", "0123456789");
  expect(await get("range", { Range: "bytes=2-4" })).toBe("234");
  expect(await get("range", { Range: "bytes=7-" })).toBe("789");
  expect(await get("range", { Range: "bytes=-3" })).toBe("789");
  const object = await client.send(new GetObjectCommand({ Bucket, Key: "range", Range: "bytes=8-99" }));
  expect(object.ContentRange).toBe("bytes 8-9/10");
  expect(await nameOf(get("range", { Range: "bytes=10-" }))).toBe("InvalidRange");
});

test("a wrong checksum is refused", async () => {
  expect(await nameOf(put("sum", "body", { ChecksumSHA256: Buffer.alloc(32).toString("base64") }))).toBe("BadDigest");
  const right = createHash("sha256").update("body").digest("base64");
  await put("sum", "body", { ChecksumSHA256: right });
});

test("listing pages through keys in byte order and groups by delimiter", async () => {
  const keys = ["list/a/1", "list/a/2", "list/b", "list/c/1", "list/d", "list/\uFFFD", "list/\u{1F600}"];
  for (const key of [...keys].reverse()) await put(key, key);
  const pages: string[][] = [];
  let ContinuationToken: string | undefined;
  do {
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket,
        Prefix: "list/",
        MaxKeys: 3,
        ...(ContinuationToken ? { ContinuationToken } : {}),
      }),
    );
    pages.push(page.Contents!.map((entry) => entry.Key!));
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken);
  expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
  expect(pages.flat()).toEqual(keys);

  const groups: string[] = [];
  ContinuationToken = undefined;
  do {
    const page: ListObjectsV2CommandOutput = await client.send(
      new ListObjectsV2Command({
        Bucket,
        Prefix: "list/",
        Delimiter: "/",
        MaxKeys: 1,
        ...(ContinuationToken ? { ContinuationToken } : {}),
      }),
    );
    groups.push(...(page.Contents ?? []).map((e) => e.Key!), ...(page.CommonPrefixes ?? []).map((p) => p.Prefix!));
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken);
  expect(groups).toEqual(["list/a/", "list/b", "list/c/", "list/d", "list/\uFFFD", "list/\u{1F600}"]);
});

test("several keys are deleted at once, missing ones among them", async () => {
  await put("del/1&2", "x");
  await put("del/3", "x");
  const Delete = { Objects: [{ Key: "del/1&2" }, { Key: "del/none" }] };
  const { Deleted } = await client.send(new DeleteObjectsCommand({ Bucket, Delete }));
  expect(Deleted?.map((d) => d.Key)).toEqual(["del/1&2", "del/none"]);
  const { Contents } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: "del/" }));
  expect(Contents?.map((entry) => entry.Key)).toEqual(["del/3"]);
});

test("a multipart upload appears when completed, on its condition, and an aborted one never", async () => {
  const upload = async (Key: string) => {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
    const Parts = [];
    for (const [i, Body] of ["part one,", "part two"].entries()) {
      const PartNumber = i + 1;
      const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
      Parts.push({ ETag, PartNumber });
    }
    return { Bucket, Key, UploadId, MultipartUpload: { Parts } };
  };
  const first = await upload("multi");
  const second = await upload("multi");
  expect(await nameOf(get("multi"))).toBe("NoSuchKey");
  const { ETag } = await client.send(new CompleteMultipartUploadCommand({ ...first, IfNoneMatch: "*" }));
  expect(ETag).toMatch(/-2"$/);
  expect(await get("multi")).toBe("part one,part two");
  const again = client.send(new CompleteMultipartUploadCommand({ ...second, IfNoneMatch: "*" }));
  expect(await nameOf(again)).toBe("PreconditionFailed");
  await client.send(new AbortMultipartUploadCommand({ Bucket, Key: "multi", UploadId: second.UploadId }));
  expect(await nameOf(client.send(new CompleteMultipartUploadCommand(second)))).toBe("NoSuchUpload");
});

test("an object is copied with its headers", async () => {
  await put("from", "copied", { ContentType: "text/x" });
  await client.send(new CopyObjectCommand({ Bucket, Key: "to", CopySource: `${Bucket}/from` }));
  const copy = await client.send(new GetObjectCommand({ Bucket, Key: "to" }));
  expect(await copy.Body!.transformToString()).toBe("copied");
  expect(copy.ContentType).toBe("text/x");
});

test("a body shorter than its framing says is refused", async () => {
  const status = await new Promise<number>((resolve, reject) => {
    const call = httpRequest(
      `${server.endpoint}/${Bucket}/torn`,
      { method: "PUT", headers: { "x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER" } },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    call.on("error", reject).end("ff\r\nonly this");
  });
  expect(status).toBe(400);
  expect(await nameOf(get("torn"))).toBe("NoSuchKey");
});

test("with a journal, objects are there after a restart and deleted ones are not", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tidemark-test-"));
  const options = { journalPath: join(directory, "s3.log") };
  try {
    const first = await startS3Emulator(options);
    const before = connect(first.endpoint);
    await before.send(new CreateBucketCommand({ Bucket }));
    for (const [Key, Body] of ["k=1", "k=2", "k=3", "gone=1", "other=1", "k=4"].map((pair) => pair.split("="))) {
      await before.send(new PutObjectCommand({ Bucket, Key: Key!, Body: Body!, ContentType: "text/plain" }));
    }
    await before.send(new DeleteObjectCommand({ Bucket, Key: "gone" }));
    before.destroy();
    await first.stop();
    for (let restart = 0; restart < 2; restart++) {
      const next = await startS3Emulator(options);
      const after = connect(next.endpoint);
      const { Contents } = await after.send(new ListObjectsV2Command({ Bucket }));
      expect(Contents?.map((entry) => entry.Key)).toEqual(["k", "other"]);
      const object = await after.send(new GetObjectCommand({ Bucket, Key: "k" }));
      expect(await object.Body!.transformToString()).toBe("4");
      expect(object.ContentType).toBe("text/plain");
      after.destroy();
      await next.stop();
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
});
