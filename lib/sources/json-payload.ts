import { Buffer } from "node:buffer";

/** What CSV cells and Parquet values become before they are decoded: JSON, whose integers keep all their digits. */
export const jsonPayload = (members: Iterable<readonly [name: string, json: string]>): Uint8Array => {
  const parts: string[] = [];
  for (const [name, json] of members) parts.push(`${JSON.stringify(name)}:${json}`);
  return Buffer.from(`{${parts.join(",")}}`, "utf8");
};
