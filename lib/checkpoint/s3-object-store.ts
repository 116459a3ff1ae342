import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { externalError } from "../errors.js";
import type { ObjectStore } from "./object-store.js";

/** What one DeleteObjects takes. */
const DELETE_AT_ONCE = 1000;

const continuing = (token: string | undefined) => (token === undefined ? {} : { ContinuationToken: token });

export function s3ObjectStore(client: S3Client, bucket: string): ObjectStore {
  return {
    async put(key, bytes, { contentType, contentEncoding } = {}) {
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: bytes,
          ...(contentType === undefined ? {} : { ContentType: contentType }),
          ...(contentEncoding === undefined ? {} : { ContentEncoding: contentEncoding }),
        }),
      );
    },
    async get(key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return Body === undefined ? null : await Body.transformToByteArray();
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    async delete(keys) {
      for (let from = 0; from < keys.length; from += DELETE_AT_ONCE) {
        const Objects = keys.slice(from, from + DELETE_AT_ONCE).map((Key) => ({ Key }));
        const { Errors } = await client.send(
          new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
        );
        const first = Errors?.[0];
        if (first !== undefined) {
          throw externalError("delete-failed", `S3 did not delete ${first.Key}: ${first.Message}.`, "It is retried.");
        }
      }
    },
    async folders(prefix) {
      const names: string[] = [];
      let token: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, Delimiter: "/", ...continuing(token) }),
        );
        for (const { Prefix } of page.CommonPrefixes ?? [])
          if (Prefix !== undefined) names.push(Prefix.slice(prefix.length, -1));
        token = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (token !== undefined);
      return names;
    },
    async *list(prefix) {
      let token: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...continuing(token) }),
        );
        for (const { Key, LastModified, Size } of page.Contents ?? []) {
          if (Key !== undefined) yield { key: Key, modified: LastModified?.getTime() ?? 0, size: Size ?? 0 };
        }
        token = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (token !== undefined);
    },
  };
}
