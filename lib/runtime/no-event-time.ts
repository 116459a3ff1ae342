import { closestName } from "../plan/closest-name.js";
import { fieldOf } from "../plan/data-type.js";
import type { Expression } from "../plan/expression.js";
import type { LogicalNode } from "../plan/logical-plan.js";
import type { Schema } from "../plan/schema.js";
import { isKind, nodesUpwards } from "../plan/walk.js";
import { DEFAULT_LIMITS } from "../sources/decode-limits.js";
import { payloadText } from "../sources/payload-text.js";
import type { SourceRecord } from "../sources/source.js";

/** Why a row of a record could not be placed in time, in words that name the column. */
export type NoEventTimeDetail = (
  operatorId: string,
  record?: { readonly source: string; readonly data: SourceRecord["data"] },
) => string;

/** Of a plan: by operator the column whose time it asks for, by source the columns that its records should have. */
export function noEventTimeDetail(plan: LogicalNode): NoEventTimeDetail {
  const nodes = nodesUpwards(plan);
  const columns = new Map<string, string>();
  for (const { operatorId, window } of nodes.filter(isKind("aggregate")))
    if (window !== undefined) columns.set(operatorId, window.column);
  const projected = nodes
    .filter(isKind("project"))
    .flatMap(({ columns }) => columns.map(({ value }) => timeOf(value as Expression)));
  const schemas = new Map(nodes.filter(isKind("source")).map(({ name, schema }) => [name, schema]));
  return (operatorId, record) => {
    const column = columns.get(operatorId) ?? projected.find((name) => name !== undefined);
    if (column === undefined) return `${operatorId} cannot place the row in time`;
    const schema = record === undefined ? undefined : schemas.get(record.source);
    const missing = record === undefined || schema === undefined ? null : missingMember(column, schema, record.data);
    return missing ?? `'${column}' is NULL`;
  };
}

/** The column under a `windowOf`. */
function timeOf(value: Expression): string | undefined {
  if (value.kind !== "call" || value.fn !== "windowOf") return undefined;
  const [time] = value.args;
  return time?.kind === "column" ? time.name : undefined;
}

/** Null: the record has it, or is no JSON object. Only a name like the column's own is told: members may be data. */
function missingMember(column: string, schema: Schema, data: Uint8Array): string | null {
  if (fieldOf(schema, column) === undefined) return null;
  const names = memberNames(data);
  if (names === null || names.includes(column)) return null;
  const near = closestName(column, names);
  return `'${column}' is missing${near === undefined ? "" : `; the record has '${near}'`}`;
}

function memberNames(data: Uint8Array): readonly string[] | null {
  const found = payloadText(data, DEFAULT_LIMITS.maxBytes);
  if (!("text" in found)) return null;
  try {
    const parsed: unknown = JSON.parse(found.text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? Object.keys(parsed) : null;
  } catch {
    return null;
  }
}
