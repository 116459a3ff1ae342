import type { DataType } from "../plan/schema.js";
import type { EventTime } from "../time/event-time.js";
import type { TimestampReading } from "../time/timestamp-reader.js";
import type { Window } from "../time/window.js";

/** A column as the compiler knows it: what the engine calls it, and what a row function sees in it. */
export interface ColumnType<Type extends string = string, Value = unknown> {
  readonly type: Type;
  readonly value: Value;
}

/** Without constraints: indexing a constrained parameter sends the compiler round in circles. */
export type TagOf<C> = C extends { readonly type: infer Type extends string } ? Type : never;
export type ValueOf<C> = C extends { readonly value: infer Value } ? Value : never;

/** The columns of a stream by name. */
export type Columns = Readonly<Record<string, ColumnType>>;

export type TimestampColumn<Null = null> = ColumnType<"timestamp", EventTime | Null>;
export type LongColumn<Null = null> = ColumnType<"long", number | bigint | Null>;
export type DoubleColumn<Null = null> = ColumnType<"double", number | Null>;
export type StringColumn<Null = null> = ColumnType<"string", string | Null>;
export type BooleanColumn<Null = null> = ColumnType<"boolean", boolean | Null>;
export type WindowColumn = ColumnType<"window", Window>;
export type JsonColumn<Value> = ColumnType<"json", Value>;

/** A row of such columns, as map, filter and withColumn functions see it. */
export type RowOf<S> = { readonly [Name in keyof S]: ValueOf<S[Name]> };

/** Columns of a function's result, whose types the engine does not know. */
export type JsonColumns<T> = { readonly [Name in keyof T & string]: JsonColumn<T[Name]> };

export type NameOf<S> = keyof S & string;

/** Names of columns that may carry event time (DATA.md section 1). */
export type TimeNameOf<S> = {
  [Name in NameOf<S>]: TagOf<S[Name]> extends "timestamp" | "json" ? Name : never;
}[NameOf<S>];

/** Names that window() takes: event times, and windows of an aggregation upstream. */
export type WindowableNameOf<S> = {
  [Name in NameOf<S>]: TagOf<S[Name]> extends "timestamp" | "json" | "window" ? Name : never;
}[NameOf<S>];

/** The declaration of a column: immutable, made by `string()`, `long()`, … */
export interface ColumnDeclaration<C extends ColumnType = ColumnType> {
  readonly type: DataType;
  readonly nullable: boolean;
  /** Of a timestamp: how a record says it. */
  readonly reading?: TimestampReading;
  /** A record in which the column is null or missing becomes malformed, instead of a row with null. */
  notNull(): ColumnDeclaration<ColumnType<C["type"], Exclude<C["value"], null>>>;
  /** Only for the compiler: never set. */
  readonly column?: C;
}
