import type { StandardSchemaV1 } from "@standard-schema/spec";
import { userError } from "../errors.js";
import type { Row, Schema } from "../plan/schema.js";
import { DEFAULT_LIMITS, type DecodeLimits, within } from "./decode-limits.js";
import { quoteLongNumbers } from "./exact-integer.js";
import { hasLostDigits } from "./json-column.js";
import { ownMember } from "./own-member.js";
import { payloadText } from "./payload-text.js";
import { kindOf, notJson, parseJson } from "./row-decoder.js";
import type { DecodedRow, DecodedRows, MalformedRow, Payload, RowDecoder } from "./source.js";

/**
 * A decoder for a source whose schema is a Standard Schema (zod, valibot, arktype, …): JSON.parse, a depth check, then the schema's own
 * `validate`, whose output is the row. An open schema takes every member of it, a closed one its columns.
 *
 * @throws `async-schema` where validate answers with a Promise already at a trial call
 */
export function compileStandardDecoder(
  standard: StandardSchemaV1,
  schema: Schema,
  limits: DecodeLimits = DEFAULT_LIMITS,
): RowDecoder {
  refuseAsync(standard);
  const { validate } = standard["~standard"];
  const toRow = schema.open ? openRow : (value: object) => closedRow(value, schema);
  const decode = (payload: Uint8Array): DecodedRow => {
    const found = payloadText(payload, limits.maxBytes);
    if ("malformed" in found) return found;
    const parsed = parseJson(found.text);
    if (parsed === undefined) return notJson(payload);
    // The row itself is one level.
    if (!within(parsed, limits.maxDepth + 1)) {
      return { malformed: "too-deep", detail: `the payload nests more than ${limits.maxDepth} levels` };
    }
    if (hasLostDigits(parsed, () => JSON.parse(quoteLongNumbers(found.text)))) return violation(LOST_DIGITS);
    return validated(validate, parsed, toRow);
  };
  return Object.assign(decode, { batch: (payloads: readonly Payload[]) => decodeEach(payloads, decode) });
}

const LOST_DIGITS =
  "a number that JSON.parse would change, such as an integer beyond 2^53: declare the columns, with long()";

/** The same for a value that was never text. */
export function standardValueReader(standard: StandardSchemaV1, schema: Schema): (value: object) => DecodedRow {
  const { validate } = standard["~standard"];
  const toRow = schema.open ? openRow : (value: object) => closedRow(value, schema);
  return (value) => validated(validate, value, toRow);
}

function decodeEach(payloads: readonly Payload[], decode: (payload: Uint8Array) => DecodedRow): DecodedRows {
  const malformed = new Map<number, MalformedRow>();
  const rows = payloads.map((payload, at) => {
    const decoded = payload.malformed ?? decode(payload.data);
    if ("row" in decoded) return decoded.row;
    malformed.set(at, decoded);
    return null;
  });
  return { rows, malformed };
}

function validated(
  validate: StandardSchemaV1["~standard"]["validate"],
  parsed: unknown,
  toRow: (value: object) => DecodedRow,
): DecodedRow {
  try {
    const result = validate(parsed);
    if (result instanceof Promise) {
      result.catch(() => undefined);
      return { malformed: "async-schema", detail: "the schema answered with a Promise" };
    }
    if (result.issues !== undefined) return violation(placesOf(result.issues));
    const { value } = result;
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? toRow(value)
      : violation(`the schema's output is no object but ${kindOf(value)}`);
  } catch (error) {
    return violation(`the schema threw ${error instanceof Error ? error.name : "something that is no Error"}`);
  }
}

/** Some schemas throw at a value that they were not made for; only a Promise is a reason to refuse here. */
function refuseAsync(standard: StandardSchemaV1): void {
  let result: unknown;
  try {
    result = standard["~standard"].validate({});
  } catch {
    return;
  }
  if (!(result instanceof Promise)) return;
  result.catch(() => undefined);
  throw userError(
    "async-schema",
    "The source's schema validates asynchronously.",
    "Remove its asynchronous refinements and transforms: rows are decoded synchronously.",
  );
}

const closedRow = (value: object, schema: Schema): DecodedRow => {
  const row: Row = {};
  for (const { name } of schema.fields) row[name] = ownMember(value, name);
  return { row };
};

const FORBIDDEN = new Set(["__proto__", "constructor", "prototype", ""]);

const openRow = (value: object): DecodedRow => {
  const row: Row = {};
  for (const name of Object.keys(value)) {
    if (FORBIDDEN.has(name)) return violation("a member has a name that no column may have");
    row[name] = ownMember(value, name);
  }
  return { row };
};

const violation = (detail: string): DecodedRow => ({ malformed: "schema-violation", detail });

/** Where, not what: a schema's messages may quote the value. Short, because members of a map are data too. */
const placesOf = (issues: readonly StandardSchemaV1.Issue[]): string =>
  issues
    .slice(0, 5)
    .map(({ path }) => pathText(path))
    .join(", ")
    .slice(0, 200);

const pathText = (path: StandardSchemaV1.Issue["path"]): string => {
  if (path === undefined || path.length === 0) return "the payload as a whole";
  return path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
};
