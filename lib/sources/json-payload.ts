import { Buffer } from "node:buffer";

/** What CSV cells and Parquet values become before they are decoded: JSON, whose integers keep all their digits. */
export const jsonPayload = (members: Iterable<readonly [name: string, json: string]>): Uint8Array => {
  const parts: string[] = [];
  for (const [name, json] of members) parts.push(`${JSON.stringify(name)}:${json}`);
  return Buffer.from(`{${parts.join(",")}}`, "utf8");
};

export function jsonValue(value: unknown): string {
  switch (typeof value) {
    case "bigint":
      return value.toString();
    case "number":
      return Number.isFinite(value) ? String(value) : `"${value}"`;
    case "object":
      if (value === null) return "null";
      if (ArrayBuffer.isView(value) && !(value instanceof Uint8Array)) return jsonValue([...(value as Int32Array)]);
      if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString("base64"));
      if (value instanceof Date) return JSON.stringify(value);
      if (Array.isArray(value)) return `[${value.map(jsonValue).join(",")}]`;
      return `{${Object.entries(value)
        .map(([name, member]) => `${JSON.stringify(name)}:${jsonValue(member)}`)
        .join(",")}}`;
    default:
      return JSON.stringify(value) ?? "null";
  }
}
