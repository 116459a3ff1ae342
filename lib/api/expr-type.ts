import type { EventTime } from "../time/event-time.js";
import type {
  ColumnType,
  DoubleColumn,
  JsonColumn,
  LongColumn,
  TagOf,
  TimestampColumn,
  ValueOf,
} from "./column-type.js";
import type { StreamTypeError } from "./type-errors.js";

/**
 * The column that an expression makes of a row of `S`. `E` is its syntax tree as far as the type needs it (DATA.md section 9): a fixed
 * type, a column to look up, or a combination of such; the verb that consumes the expression resolves it.
 */
export type TypeOf<E, S> = E extends ColumnType
  ? E
  : E extends { readonly column: infer Name extends string }
    ? Name extends keyof S
      ? S[Name]
      : ColumnType<"error", StreamTypeError<`there is no column '${Name}'`>>
    : E extends { readonly field: infer Parent; readonly name: infer Name extends string }
      ? FieldOf<TypeOf<Parent, S>, Name>
      : E extends { readonly arithmetic: readonly [infer A, infer B] }
        ? Arithmetic<TypeOf<A, S>, TypeOf<B, S>>
        : E extends { readonly firstNonNull: infer All }
          ? FirstNonNull<Resolve<All, S>>
          : E extends { readonly oneOf: infer All }
            ? Union<Resolve<All, S>>
            : never;

type Resolve<All, S> = { readonly [I in keyof All]: TypeOf<All[I], S> };

type NullOf<V> = null extends V ? null : never;

type FieldOf<Parent, Name extends string> =
  TagOf<Parent> extends "window"
    ? ColumnType<"timestamp", EventTime>
    : Name extends keyof NonNullable<ValueOf<Parent>>
      ? JsonColumn<NonNullable<ValueOf<Parent>>[Name] | null>
      : JsonColumn<unknown>;

/** A timestamp stays one (an interval is added); else the wider of two numbers, NULL if either is. */
type Arithmetic<A, B> =
  TagOf<A> extends "timestamp"
    ? TimestampColumn<NullOf<ValueOf<A>>>
    : "double" extends TagOf<A> | TagOf<B>
      ? DoubleColumn<NullOf<ValueOf<A>> | NullOf<ValueOf<B>>>
      : "json" extends TagOf<A> | TagOf<B>
        ? JsonColumn<number | NullOf<ValueOf<A>> | NullOf<ValueOf<B>>>
        : "long" extends TagOf<A> | TagOf<B>
          ? LongColumn<NullOf<ValueOf<A>> | NullOf<ValueOf<B>>>
          : ColumnType<"int", number | NullOf<ValueOf<A>> | NullOf<ValueOf<B>>>;

type Members<All> = All extends readonly unknown[] ? All[number] : never;

type Union<All> = ColumnType<TagOf<Members<All>>, ValueOf<Members<All>>>;

/** NULL only if the last one may be. */
type FirstNonNull<All> = All extends readonly [...unknown[], infer Last]
  ? ColumnType<TagOf<Members<All>>, Exclude<ValueOf<Members<All>>, null> | NullOf<ValueOf<Last>>>
  : never;
