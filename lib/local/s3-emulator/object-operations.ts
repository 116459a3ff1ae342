import type { HttpRequest, HttpResponse } from "../loopback-server.js";
import type { BucketStore } from "./bucket-store.js";
import { md5Hex, verifiedChecksums } from "./checksums.js";
import type { MultipartUploads } from "./multipart.js";
import { checkWrite } from "./preconditions.js";
import { readObject } from "./read-object.js";
import { objectEncoding, readRequestBody } from "./request-body.js";
import { noSuchKey, S3Error } from "./s3-error.js";
import { textsOf, xmlDocument } from "./xml.js";

interface ObjectCall {
  readonly request: HttpRequest;
  readonly query: URLSearchParams;
  readonly bucket: string;
  readonly key: string;
}

export interface S3World {
  readonly store: BucketStore;
  readonly uploads: MultipartUploads;
  /** Epoch ms. */
  readonly now: () => number;
}

export const xmlResponse = (root: string, node: Parameters<typeof xmlDocument>[1], status = 200): HttpResponse => ({
  status,
  headers: { "content-type": "application/xml" },
  body: xmlDocument(root, node),
});

export function runObjectOperation(world: S3World, call: ObjectCall): HttpResponse {
  const { request, query, bucket, key } = call;
  const current = world.store.buckets.get(bucket)!.get(key);
  const uploadId = query.get("uploadId");
  switch (request.method) {
    case "GET":
    case "HEAD":
      if (!current) throw noSuchKey();
      return readObject(request.method, request.headers, current);
    case "DELETE":
      if (uploadId !== null) world.uploads.forget(uploadId);
      else {
        if (request.headers["if-match"] !== undefined) checkWrite(request.headers, current);
        world.store.delete(bucket, key);
      }
      return { status: 204 };
    case "PUT":
      if (request.headers["x-amz-copy-source"] !== undefined) return copyObject(world, call);
      return uploadId === null ? putObject(world, call) : putPart(world, call, uploadId);
    case "POST":
      if (query.has("uploads")) {
        const id = world.uploads.begin(bucket, key, objectHeaders(request.headers));
        return xmlResponse("InitiateMultipartUploadResult", { Bucket: bucket, Key: key, UploadId: id });
      }
      if (uploadId !== null) return completeUpload(world, call, uploadId);
  }
  throw new S3Error(501, "NotImplemented", `${request.method} of an object`);
}

function putObject({ store, now }: S3World, { request, bucket, key }: ObjectCall): HttpResponse {
  const content = readRequestBody(request.headers, request.body);
  const checksums = verifiedChecksums(request.headers, content);
  checkWrite(request.headers, store.buckets.get(bucket)!.get(key));
  const { body } = content;
  const etag = md5Hex(body);
  store.put(bucket, key, { body, etag, modified: now(), headers: objectHeaders(request.headers), checksums });
  return { status: 200, headers: { etag: `"${etag}"`, ...checksums } };
}

function putPart({ uploads }: S3World, { request, query }: ObjectCall, uploadId: string): HttpResponse {
  const content = readRequestBody(request.headers, request.body);
  const checksums = verifiedChecksums(request.headers, content);
  const etag = uploads.put(uploadId, Number(query.get("partNumber")), content.body);
  return { status: 200, headers: { etag: `"${etag}"`, ...checksums } };
}

function completeUpload(world: S3World, { request, bucket, key }: ObjectCall, uploadId: string): HttpResponse {
  const numbers = textsOf(request.body.toString("utf8"), "PartNumber").map(Number);
  const whole = world.uploads.assemble(uploadId, numbers);
  checkWrite(request.headers, world.store.buckets.get(bucket)!.get(key));
  world.store.put(bucket, key, { ...whole, modified: world.now(), checksums: {} });
  world.uploads.forget(uploadId);
  return xmlResponse("CompleteMultipartUploadResult", { Bucket: bucket, Key: key, ETag: `"${whole.etag}"` });
}

function copyObject({ store, now }: S3World, { request, bucket, key }: ObjectCall): HttpResponse {
  const [from, ...path] = decodeURIComponent(request.headers["x-amz-copy-source"]!).replace(/^\//, "").split("/");
  const source = store.buckets.get(from!)?.get(path.join("/"));
  if (!source) throw noSuchKey();
  checkWrite(request.headers, store.buckets.get(bucket)!.get(key));
  const copy = { ...source, modified: now() };
  store.put(bucket, key, copy);
  return xmlResponse("CopyObjectResult", {
    ETag: `"${copy.etag}"`,
    LastModified: new Date(copy.modified).toISOString(),
  });
}

const KEPT_HEADERS = ["content-type", "cache-control", "content-disposition", "content-language", "expires"];

function objectHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (KEPT_HEADERS.includes(name) || name.startsWith("x-amz-meta-")) kept[name] = value;
  }
  const encoding = objectEncoding(headers);
  return encoding === undefined ? kept : { ...kept, "content-encoding": encoding };
}
