import type { HttpRequest, HttpResponse } from "../loopback-server.js";
import { listObjects } from "./list-objects.js";
import { type S3World, xmlResponse } from "./object-operations.js";
import { S3Error } from "./s3-error.js";
import { textsOf } from "./xml.js";

export function listBuckets({ store }: S3World): HttpResponse {
  return xmlResponse("ListAllMyBucketsResult", {
    Buckets: { Bucket: [...store.buckets.keys()].sort().map((Name) => ({ Name })) },
  });
}

export function createBucket({ store }: S3World, name: string): HttpResponse {
  if (store.buckets.has(name)) {
    throw new S3Error(409, "BucketAlreadyOwnedByYou", "Your previous request to create the named bucket succeeded.");
  }
  store.createBucket(name);
  return { status: 200, headers: { location: `/${name}` } };
}

/** The bucket exists. */
export function runBucketOperation(
  { store }: S3World,
  { method, body }: HttpRequest,
  query: URLSearchParams,
  name: string,
): HttpResponse {
  const bucket = store.buckets.get(name)!;
  switch (method) {
    case "HEAD":
      return { status: 200, headers: { "x-amz-bucket-region": "us-east-1" } };
    case "GET":
      if (query.has("location")) return xmlResponse("LocationConstraint", "");
      return { status: 200, headers: { "content-type": "application/xml" }, body: listObjects(name, bucket, query) };
    case "DELETE":
      if (bucket.size > 0) throw new S3Error(409, "BucketNotEmpty", "The bucket you tried to delete is not empty");
      store.dropBucket(name);
      return { status: 204 };
    case "POST":
      if (query.has("delete")) {
        const keys = textsOf(body.toString("utf8"), "Key");
        if (keys.length > 1000) throw new S3Error(400, "MalformedXML", "At most 1000 keys can be deleted at once");
        for (const key of keys) store.delete(name, key);
        return xmlResponse("DeleteResult", { Deleted: keys.map((Key) => ({ Key })) });
      }
  }
  throw new S3Error(501, "NotImplemented", `${method} of a bucket`);
}
