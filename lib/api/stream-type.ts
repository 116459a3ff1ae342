import type { OutputMode } from "../plan/logical-plan.js";
import type { ColumnType, NameOf, TagOf, TimestampColumn, ValueOf, WindowColumn } from "./column-type.js";
import type { Expr, ExprOver } from "./expr.js";
import type { TypeOf } from "./expr-type.js";
import type { StreamTypeError } from "./type-errors.js";

/** What the compiler remembers of the aggregations below: none, all with event time among their keys, or one without. */
export type Aggregated = "none" | "timed" | "untimed";

/** The output modes that a query may have, with the reason where one is missing. */
export type ModeOf<A extends Aggregated> = A extends "none"
  ? Exclude<OutputMode, "complete"> | StreamTypeError<"complete mode needs groupBy().agg()">
  : A extends "timed"
    ? OutputMode
    : Exclude<OutputMode, "append"> | StreamTypeError<"append mode needs withWatermark() before groupBy()">;

/** Of two streams that become one. */
export type Both<A extends Aggregated, B extends Aggregated> = "untimed" extends A | B
  ? "untimed"
  : "timed" extends A | B
    ? "timed"
    : "none";

export type Simplify<T> = { readonly [Name in keyof T]: T[Name] };

/** What select takes: names, and new names for columns or expressions. */
export type SelectItem<S> = NameOf<S> | Readonly<Record<string, NameOf<S> | ExprOver<NameOf<S>>>>;

export type Selected<S, Items extends readonly unknown[]> = Items extends readonly [infer Item, ...infer Rest]
  ? Simplify<SelectedOf<S, Item> & Selected<S, Rest>>
  : unknown;

type SelectedOf<S, Item> = Item extends keyof S
  ? { readonly [Name in Item]: S[Name] }
  : { readonly [Name in keyof Item]: ColumnOf<S, Item[Name]> };

export type ColumnOf<S, Value> = Value extends keyof S
  ? S[Value]
  : Value extends Expr<infer Tree, string>
    ? TypeOf<Tree, S>
    : never;

/** Names under which event time goes on after select (SEMANTICS A12). */
export type SelectedTime<T extends string, Items extends readonly unknown[]> = Items[number] extends infer Item
  ? Item extends string
    ? Item & T
    : { [Name in keyof Item]: KeepsTime<T, Item[Name]> extends true ? Name : never }[keyof Item] & string
  : never;

/** A column of event time, a window of one, the time of such a window; nothing else that is computed. */
export type KeepsTime<T extends string, Value> = Value extends string
  ? Value extends T
    ? true
    : false
  : Value extends Expr<infer Tree, infer Names extends string>
    ? Tree extends { readonly column: T } | WindowColumn | TimestampColumn<never>
      ? Names extends T
        ? true
        : false
      : false
    : false;

/** Columns under new names, the others as they were. */
export type Renamed<S, R extends Readonly<Record<string, string>>> = {
  readonly [Name in keyof S as Name extends keyof R ? R[Name] : Name]: S[Name];
};

export type RenamedTime<T extends string, R extends Readonly<Record<string, string>>> = T extends keyof R ? R[T] : T;

export type NullableColumns<S> = {
  readonly [Name in keyof S]: ColumnType<TagOf<S[Name]>, ValueOf<S[Name]> | null>;
};
