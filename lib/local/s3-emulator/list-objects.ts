import type { Bucket } from "./bucket.js";
import { type XmlNode, xmlDocument } from "./xml.js";

/** ListObjectsV2: a page of at most `max-keys` keys and common prefixes, in key order. */
export function listObjects(name: string, bucket: Bucket, query: URLSearchParams): string {
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") ?? "";
  const limit = Math.min(Number(query.get("max-keys") ?? 1000), 1000);
  const token = query.get("continuation-token");
  const after = token ? Buffer.from(token, "base64url").toString("utf8") : (query.get("start-after") ?? "");
  const shown = query.get("encoding-type") === "url" ? encodeKey : (key: string) => key;

  const contents: XmlNode[] = [];
  const prefixes: string[] = [];
  const keys = bucket.keys();
  let last = "";
  let truncated = false;
  for (let i = bucket.firstAbove(after); i < keys.length; i++) {
    const key = keys[i]!;
    if (!key.startsWith(prefix)) {
      if (key > prefix) break;
      continue;
    }
    const cut = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
    const common = cut < 0 ? null : key.slice(0, cut + delimiter.length);
    if (common !== null && common === prefixes.at(-1)) {
      last = key;
      continue;
    }
    if (contents.length + prefixes.length >= limit) {
      truncated = true;
      break;
    }
    if (common === null) contents.push(entry(shown(key), bucket, key));
    else prefixes.push(common);
    last = key;
  }
  return xmlDocument("ListBucketResult", {
    Name: name,
    Prefix: shown(prefix),
    KeyCount: contents.length + prefixes.length,
    MaxKeys: limit,
    IsTruncated: String(truncated),
    NextContinuationToken: truncated ? Buffer.from(last, "utf8").toString("base64url") : undefined,
    Contents: contents,
    CommonPrefixes: prefixes.map((common) => ({ Prefix: shown(common) })),
  });
}

const encodeKey = (key: string): string => encodeURIComponent(key).replaceAll("%2F", "/");

function entry(shown: string, bucket: Bucket, key: string): XmlNode {
  const { etag, body, modified } = bucket.get(key)!;
  return {
    Key: shown,
    LastModified: new Date(modified).toISOString(),
    ETag: `"${etag}"`,
    Size: body.length,
    StorageClass: "STANDARD",
  };
}
