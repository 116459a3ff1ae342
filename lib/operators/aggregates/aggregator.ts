import type { ColumnBatch } from "../../columns/column-batch.js";
import type { AggregateSpec } from "../../plan/logical-plan.js";
import type { Row, Schema } from "../../plan/schema.js";
import type { AggregateFunction } from "./aggregate-function.js";
import { compileAggregate, type UserFunctions } from "./compile-aggregate.js";

/** The flat accumulator of a group: every aggregate's slots, one after the other. */
export type Accumulator = unknown[];

/** All aggregates of a grouping as one. An accumulator is open while rows are added and sealed when it rests in state. */
export interface Aggregator {
  /** A new, open one. */
  create(): Accumulator;
  /** An open copy of a sealed one, which stays as it is. */
  open(sealed: readonly unknown[]): Accumulator;
  /** Adds rows of a batch, each to an open one. */
  over(batch: ColumnBatch): (accumulator: Accumulator, row: number) => void;
  /** Adds a later accumulator to an open one. */
  merge(accumulator: Accumulator, later: readonly unknown[]): void;
  /** In place. */
  seal(accumulator: Accumulator): void;
  /** Writes the results, of an open accumulator or a sealed one, into an output row. */
  finish(accumulator: readonly unknown[], target: Row): Row;
}

export function aggregator(specs: readonly AggregateSpec[], schema: Schema, functions: UserFunctions = {}): Aggregator {
  const names = specs.map((spec) => spec.as);
  const aggregates = specs.map((spec) => compileAggregate(spec, schema, functions));
  const count = aggregates.length;
  const places: number[] = [];
  let slots = 0;
  for (const { slots: own } of aggregates) {
    places.push(slots);
    slots += own;
  }
  const each = (call: (aggregate: AggregateFunction, at: number) => void) => {
    for (let i = 0; i < count; i++) call(aggregates[i]!, places[i]!);
  };
  const opening = aggregates.some((aggregate) => aggregate.open !== undefined);
  const sealing = aggregates.some((aggregate) => aggregate.seal !== undefined);
  return {
    create() {
      const accumulator: Accumulator = [];
      each((aggregate, at) => aggregate.init(accumulator, at));
      // An array that grew has room for 17 elements, its copy has none to spare: half the memory of a state row.
      return accumulator.slice();
    },
    open(sealed) {
      const accumulator = sealed.slice();
      if (opening) each((aggregate, at) => aggregate.open?.(accumulator, at));
      return accumulator;
    },
    over(batch) {
      const updates = aggregates.map((aggregate) => aggregate.over(batch));
      return (accumulator, row) => {
        for (let i = 0; i < count; i++) updates[i]!(accumulator, places[i]!, row);
      };
    },
    merge: (accumulator, later) => each((aggregate, at) => aggregate.merge(accumulator, at, later)),
    seal(accumulator) {
      if (sealing) each((aggregate, at) => aggregate.seal?.(accumulator, at));
    },
    finish(accumulator, target) {
      for (let i = 0; i < count; i++) target[names[i]!] = aggregates[i]!.finish(accumulator, places[i]!);
      return target;
    },
  };
}
