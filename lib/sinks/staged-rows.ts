import { Buffer } from "node:buffer";
import { internalError } from "../errors.js";
import type { Row } from "../plan/schema.js";
import { gunzip, gzip } from "./gzip.js";

/**
 * Rows as staged bytes for sinks that need values back at publish: JSON in which whatever JSON lacks stands as `{"$": kind, "v": text}`.
 * An object of the user's own that has a member `$` is wrapped likewise, so nothing can be mistaken.
 */
export const encodeRows = (rows: readonly Row[]): Uint8Array =>
  gzip(Buffer.from(JSON.stringify(rows.map((row) => tag(row))), "utf8"));

export function decodeRows(bytes: Uint8Array): readonly Row[] {
  const tagged: unknown = JSON.parse(Buffer.from(gunzip(bytes)).toString("utf8"));
  if (!Array.isArray(tagged)) throw internalError("staged-rows", "Staged bytes hold no rows.");
  return tagged.map((row) => untag(row) as Row);
}

function tag(value: unknown): unknown {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { $: "number", v: Object.is(value, -0) ? "-0" : String(value) };
    case "bigint":
      return { $: "bigint", v: value.toString() };
    case "string":
    case "boolean":
      return value;
    case "object":
      return value === null ? null : tagObject(value);
    default:
      return null;
  }
}

function tagObject(value: object): unknown {
  if (Array.isArray(value)) return value.map(tag);
  if (value instanceof Date) return { $: "date", v: String(value.getTime()) };
  if (value instanceof Uint8Array) return { $: "bytes", v: Buffer.from(value).toString("base64") };
  const members = Object.entries(value).map(([name, member]) => [name, tag(member)]);
  return "$" in value || Object.hasOwn(value, "__proto__") ? { $: "object", v: members } : Object.fromEntries(members);
}

function untag(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(untag);
  const { $: kind, v } = value as { $?: string; v?: unknown };
  switch (kind) {
    case undefined:
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, untag(member)]));
    case "number":
      return Number(v);
    case "bigint":
      return BigInt(v as string);
    case "date":
      return new Date(Number(v));
    case "bytes":
      return new Uint8Array(Buffer.from(v as string, "base64"));
    case "object":
      return Object.fromEntries((v as [string, unknown][]).map(([name, member]) => [name, untag(member)]));
    default:
      throw internalError("staged-rows", `Staged rows hold an unknown kind of value, '${kind}'.`);
  }
}
