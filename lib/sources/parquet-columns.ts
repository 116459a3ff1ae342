import type { FileMetaData, SchemaElement } from "hyparquet";
import { userError } from "../errors.js";
import { fieldOf } from "../plan/data-type.js";
import type { DataType, Schema } from "../plan/schema.js";
import { type ParquetJson, type ParquetLeaf, parquetLeaf } from "./parquet-values.js";

/** A column of the file, read whole: nested values too. */
export interface ParquetColumn {
  readonly name: string;
  readonly write: ParquetLeaf;
}

interface Node {
  readonly element: SchemaElement;
  readonly children: readonly Node[];
}

/**
 * The declared columns that the file has, and its metadata without the annotations of their values: hyparquet then gives physical values,
 * and none of its own conversions (decimals by a division, text with replacement characters) touches them.
 * @throws `parquet-type` for a column of a type that is not read
 */
export function parquetColumns(
  metadata: FileMetaData,
  schema: Schema,
): { columns: ParquetColumn[]; bare: FileMetaData } {
  const root = treeOf(metadata.schema);
  const bare = new Map<SchemaElement, SchemaElement>();
  const columns = root.children.flatMap(({ element, children }): ParquetColumn[] => {
    const declared = schema.open ? "json" : fieldOf(schema, element.name)?.type;
    if (declared === undefined) return [];
    return [{ name: element.name, write: writerOf({ element, children }, declared, element.name, bare) }];
  });
  return { columns, bare: { ...metadata, schema: metadata.schema.map((element) => bare.get(element) ?? element) } };
}

/** Of the file's columns, the outermost. */
export const parquetNames = ({ schema }: FileMetaData): readonly string[] =>
  treeOf(schema).children.map(({ element }) => element.name);

function treeOf(elements: readonly SchemaElement[]): Node {
  let at = 0;
  const next = (): Node => {
    const element = elements[at++] as SchemaElement;
    return { element, children: Array.from({ length: element.num_children ?? 0 }, next) };
  };
  return next();
}

type Bare = Map<SchemaElement, SchemaElement>;

function writerOf(node: Node, declared: DataType, column: string, bare: Bare): ParquetLeaf {
  const { element, children } = node;
  const write =
    children.length === 0 ? leafWriter(node, declared, column, bare) : groupWriter(node, declared, column, bare);
  return element.repetition_type === "REPEATED" ? listOf(write) : write;
}

function leafWriter({ element }: Node, declared: DataType, column: string, bare: Bare): ParquetLeaf {
  const write = parquetLeaf(element, declared);
  if (write === undefined) throw unread(column, element);
  const { logical_type: _, converted_type: __, scale: ___, precision: ____, ...physical } = element;
  bare.set(element, physical);
  return write;
}

function groupWriter({ element, children }: Node, declared: DataType, column: string, bare: Bare): ParquetLeaf {
  const kind = element.logical_type?.type ?? element.converted_type;
  if (kind === "LIST" && element.converted_type === "LIST" && children.length === 1) {
    const [repeated] = children as [Node];
    const item = typeof declared === "object" && "array" in declared ? declared.array : "json";
    // Lists of two levels have the element itself repeated.
    const inner =
      repeated.children.length === 1 ? repeated.children[0]! : { ...repeated, element: { ...repeated.element } };
    const write =
      repeated.children.length === 1
        ? writerOf(inner, item, column, bare)
        : elementWriter(repeated, item, column, bare);
    return listOf(write);
  }
  if (kind === "MAP" && element.converted_type === "MAP" && children[0]?.children.length === 2)
    return mapWriter(children[0], column, bare);
  if (kind !== undefined) throw unread(column, element);
  const members = children.map((child) => ({
    name: child.element.name,
    write: writerOf(child, memberType(declared, child.element.name), column, bare),
  }));
  return (stored) =>
    joined("{", "}", members, ({ name, write }) => {
      const value = (stored as Record<string, unknown>)[name] ?? null;
      return prefixed(name, value === null ? NULL : write(value));
    });
}

/** The repeated element of a list of two levels, without its repetition. */
function elementWriter(node: Node, declared: DataType, column: string, bare: Bare): ParquetLeaf {
  return node.children.length === 0
    ? leafWriter(node, declared, column, bare)
    : groupWriter(node, declared, column, bare);
}

/** hyparquet makes an object of a map, so its keys must be text; they stay annotated. */
function mapWriter({ children }: Node, column: string, bare: Bare): ParquetLeaf {
  const [key, value] = children as [Node, Node];
  const isText = key.element.converted_type === "UTF8" || key.element.logical_type?.type === "STRING";
  if (!isText) throw unread(column, key.element);
  const write = writerOf(value, "json", column, bare);
  return (stored) =>
    joined("{", "}", Object.entries(stored as object), ([name, member]) =>
      prefixed(name, member === null || member === undefined ? NULL : write(member)),
    );
}

const memberType = (declared: DataType, name: string): DataType =>
  typeof declared === "object" && "struct" in declared
    ? (declared.struct.find((field) => field.name === name)?.type ?? "json")
    : "json";

const NULL: ParquetJson = { json: "null" };

const prefixed = (name: string, { json, ...rest }: ParquetJson): ParquetJson => ({
  json: `${JSON.stringify(name)}:${json}`,
  ...rest,
});

const listOf =
  (write: ParquetLeaf): ParquetLeaf =>
  (stored) =>
    joined("[", "]", [...(stored as Iterable<unknown>)], (item) =>
      item === null || item === undefined ? NULL : write(item),
    );

function joined<T>(open: string, close: string, parts: readonly T[], write: (part: T) => ParquetJson): ParquetJson {
  const written = parts.map(write);
  const fault = written.find((part) => part.fault !== undefined)?.fault;
  const json = `${open}${written.map((part) => part.json).join(",")}${close}`;
  return fault === undefined ? { json } : { json, fault };
}

const unread = (column: string, { logical_type: logical, converted_type: converted }: SchemaElement) =>
  userError(
    "parquet-type",
    `The Parquet column '${column}' holds a ${logical?.type ?? converted ?? "type without a name"}, which is not read.`,
    "Do not declare it, or write it as another type.",
  );
