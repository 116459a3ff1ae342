import type { Publisher, StatePartition } from "../../lib/checkpoint/state-partition.js";

/** A partition whose publication meets its deadline after so many steps of an invocation; null: only its caller's. */
export function oneStepAtATime(partition: StatePartition, steps: () => number | null): StatePartition {
  let left = 0;
  const counted =
    (publisher: Publisher): Publisher =>
    async (identity, parts) => {
      await publisher(identity, parts);
      left--;
    };
  const reached = (deadlineReached: () => boolean) => () => left <= 0 || deadlineReached();
  return {
    ...partition,
    load(how) {
      left = steps() ?? Number.POSITIVE_INFINITY;
      return partition.load(how);
    },
    commit: (draft, staged, publisher, deadlineReached = () => false) =>
      partition.commit(draft, staged, publisher && counted(publisher), reached(deadlineReached)),
    publish: (publisher, deadlineReached) => partition.publish(counted(publisher), reached(deadlineReached)),
  };
}
