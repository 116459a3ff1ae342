import { randomUUID } from "node:crypto";
import { type HttpRequest, type HttpResponse, type LoopbackServer, startLoopbackServer } from "../loopback-server.js";
import { createBucket, listBuckets, runBucketOperation } from "./bucket-operations.js";
import { openBucketStore } from "./bucket-store.js";
import { createMultipartUploads } from "./multipart.js";
import { runObjectOperation, type S3World, xmlResponse } from "./object-operations.js";
import { S3Error } from "./s3-error.js";

interface S3EmulatorOptions {
  /** A log file: objects survive a killed process. Absent: in memory only. */
  readonly journalPath?: string;
  /** Epoch ms, for LastModified. */
  readonly now?: () => number;
}

/** S3 on loopback, path style, without versions, access control or signature checks. Writes honour If-Match and If-None-Match. */
export async function startS3Emulator(options: S3EmulatorOptions = {}): Promise<LoopbackServer> {
  const store = openBucketStore(options.journalPath);
  const world: S3World = { store, uploads: createMultipartUploads(), now: options.now ?? Date.now };
  const server = await startLoopbackServer(async (request) => answer(world, request));
  return {
    endpoint: server.endpoint,
    async stop() {
      await server.stop();
      store.close();
    },
  };
}

function answer(world: S3World, request: HttpRequest): HttpResponse {
  try {
    return route(world, request);
  } catch (error) {
    const known = error instanceof S3Error ? error : new S3Error(500, "InternalError", String(error));
    if (request.method === "HEAD") return { status: known.status };
    const { code: Code, message: Message } = known;
    return xmlResponse("Error", { Code, Message, RequestId: randomUUID() }, known.status);
  }
}

function route(world: S3World, request: HttpRequest): HttpResponse {
  const { pathname, searchParams: query } = new URL(request.url, "http://localhost");
  const slash = pathname.indexOf("/", 1);
  const bucket = decodeURIComponent(slash < 0 ? pathname.slice(1) : pathname.slice(1, slash));
  const key = slash < 0 ? "" : decodeURIComponent(pathname.slice(slash + 1));
  if (bucket === "") return listBuckets(world);
  if (key === "" && request.method === "PUT") return createBucket(world, bucket);
  if (!world.store.buckets.has(bucket)) {
    throw new S3Error(404, "NoSuchBucket", "The specified bucket does not exist");
  }
  return key === ""
    ? runBucketOperation(world, request, query, bucket)
    : runObjectOperation(world, { request, query, bucket, key });
}
