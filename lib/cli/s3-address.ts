/** `s3://bucket/key` in its parts; null: no such address. */
export function bucketAndKey(address: string): { readonly bucket: string; readonly key: string } | null {
  const [, bucket, key] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(address) ?? [];
  return bucket === undefined ? null : { bucket, key: key ?? "" };
}
