import { TidemarkError } from "../errors.js";
import type { PassOptions, PhysicalQuery } from "../planner/physical-query.js";
import { feed, type Selection } from "./feed.js";
import type { SourcePolicy } from "./source-policy.js";
import { isUserFailure } from "./user-function-failure.js";

/**
 * Records at which a user function throws as rows are fed, found in one pass by feeding them one by one; its results are thrown
 * away. A stateless function that throws leaves nothing behind, so the search goes on; after any other throw an operator may hold
 * half a row, so that one is the last. Empty: the throw came at the end of a pass.
 */
export function findFailingRecords(
  query: PhysicalQuery,
  policies: ReadonlyMap<string, SourcePolicy>,
  selection: Selection,
  options: PassOptions,
): ReadonlyMap<number, unknown> {
  const failing = new Map<number, unknown>();
  let ended = false;
  query.beginPass(options);
  feed(
    query.sources,
    policies,
    selection,
    () => false,
    (node, { batch, ...rest }) => {
      batch.selection.forEach((row, place) => {
        if (ended) return;
        const { record } = batch.origin(row)!;
        try {
          query.process(node, { ...rest, batch: batch.only(place) });
        } catch (error) {
          if (!isUserFailure(error)) throw error;
          if (!failing.has(record)) failing.set(record, error);
          ended = !isStateless(error);
        }
      });
      return batch.length;
    },
  );
  return failing;
}

/** Row functions are wrapped with this code; those of stateful operators run at the end of a pass. */
const isStateless = (error: unknown): boolean => error instanceof TidemarkError && error.code === "user-function";
