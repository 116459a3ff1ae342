import { ListObjectsV2Command, PutObjectCommand, type S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import type { LogStore } from "./log-store.js";

/** 412: an object stands there. 409: another conditional write of the same key was under way, and S3 will not say which of them won. */
const TAKEN: ReadonlySet<number | undefined> = new Set([409, 412]);

/** `objects`: the same bucket, without conditions. */
export function s3LogStore(client: S3Client, bucket: string, objects: Pick<LogStore, "get" | "put">): LogStore {
  return {
    get: objects.get,
    put: objects.put,
    async putIfAbsent(key, bytes) {
      try {
        await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes, IfNoneMatch: "*" }));
        return true;
      } catch (error) {
        if (error instanceof S3ServiceException && TAKEN.has(error.$metadata.httpStatusCode)) return false;
        throw error;
      }
    },
    async list(prefix, after) {
      const keys: string[] = [];
      for (let token: string | undefined, first = true; first || token !== undefined; first = false) {
        const from = token === undefined ? { StartAfter: after } : { ContinuationToken: token };
        const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...from }));
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) keys.push(Key);
        token = page.IsTruncated ? page.NextContinuationToken : undefined;
      }
      return keys;
    },
  };
}
