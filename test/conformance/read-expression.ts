import { userError } from "../../lib/errors.js";
import type { Expression, FunctionName } from "../../lib/plan/expression.js";
import { windowGrid } from "../../lib/plan/nodes/nodes.js";
import type { DataType, Schema } from "../../lib/plan/schema.js";
import { parseDuration } from "../../lib/time/duration.js";
import { parseIsoTimestamp } from "../../lib/time/iso-timestamp.js";

export type GoldenExpression = string | { readonly [field: string]: unknown };

/** In a join's condition a column belongs to the side that has it. */
export type ColumnSide = (name: string) => { readonly side?: "left" | "right" };

const OWN_NAMES: Readonly<Record<string, FunctionName>> = {
  window_time: "windowTime",
  toTimestampSeconds: "timestampSeconds",
};

export function readExpression(json: GoldenExpression, sideOf: ColumnSide = () => ({})): Expression {
  if (typeof json === "string") return readColumn(json, sideOf);
  if ("col" in json) return readColumn(json["col"] as string, sideOf);
  if ("lit" in json) return readLiteral(json["lit"] as string | number | boolean | null, json["type"] as string);
  if ("interval" in json) {
    const text = json["interval"] as string;
    return { kind: "interval", micros: parseDuration(text), text };
  }
  return readCall(json, sideOf);
}

function readColumn(text: string, sideOf: ColumnSide): Expression {
  const [name, ...path] = text.split(".");
  return { kind: "column", name: name!, ...sideOf(name!), ...(path.length === 0 ? {} : { path }) };
}

function readLiteral(value: string | number | boolean | null, type: string | undefined): Expression {
  if (type === "timestamp") return { kind: "literal", value: parseIsoTimestamp(value as string), type };
  const inferred: DataType =
    typeof value === "string"
      ? "string"
      : typeof value === "boolean"
        ? "boolean"
        : Number.isInteger(value)
          ? "long"
          : "double";
  return { kind: "literal", value, type: (type as DataType | undefined) ?? inferred };
}

function readCall(json: { readonly [field: string]: unknown }, sideOf: ColumnSide): Expression {
  const fn = json["fn"] as string;
  const args = ((json["args"] ?? []) as GoldenExpression[]).map((argument) => readExpression(argument, sideOf));
  switch (fn) {
    case "windowOf":
      return { kind: "call", fn, args, options: { ...windowGrid(json as { size: string }) } };
    case "truncToMinute":
      return { kind: "call", fn: "dateTrunc", args, options: { unit: "minute" } };
    case "case":
      return { kind: "call", fn: "caseWhen", args };
    default:
      return { kind: "call", fn: OWN_NAMES[fn] ?? (fn as FunctionName), args };
  }
}

/** A side that has the column; left first, as the recorder looked it up. */
export const sideIn =
  (left: Schema, right: Schema): ColumnSide =>
  (name) => {
    if (left.fields.some((field) => field.name === name)) return { side: "left" };
    if (right.fields.some((field) => field.name === name)) return { side: "right" };
    throw userError("unknown-column", `Neither side has a column '${name}'.`, "Name a column of one side.");
  };
