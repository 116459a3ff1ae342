import type { CheckpointLog, MoveResult, PutResult } from "../../../lib/checkpoint/checkpoint-log.js";
import type { ObjectStore } from "../../../lib/checkpoint/object-store.js";
import type { Scheduler } from "./scheduler.js";

export interface Faults {
  /** Probability that a conditional write's response is lost, its retry refused, or it is applied later than it was given up. */
  readonly lost: number;
  /** Probability that a read or an upload fails. */
  readonly failed: number;
}

/** Writes that were given up by their sender and are still on their way. */
export interface InFlight {
  readonly sentAt: number;
  readonly apply: () => Promise<unknown>;
}

class NetworkFailure extends Error {}

/** The log as one environment sees it: every call waits for the scheduler before and after it takes effect. */
export function faultyLog(
  log: CheckpointLog,
  actor: string,
  { gate, random, freeze }: Scheduler,
  faults: Faults,
  inFlight: InFlight[],
  now: () => number,
): CheckpointLog {
  const read = async <T>(call: () => Promise<T>): Promise<T> => {
    await gate(actor);
    if (random() < faults.failed) throw new NetworkFailure("read");
    const result = await call();
    await gate(actor);
    return result;
  };
  const write = async <R extends PutResult | MoveResult>(send: () => Promise<R>, retried: (r: R) => R): Promise<R> => {
    await gate(actor);
    const unknown = { outcome: "unknown", cause: new NetworkFailure("write") } as R;
    const fate = random() / (faults.lost || Number.MIN_VALUE);
    if (fate < 0.25) return unknown;
    if (fate < 0.5) {
      inFlight.push({ sentAt: now(), apply: send });
      return unknown;
    }
    const first = await send();
    // A retry may come long after, when others have built on what the first sending did [CE5].
    if (fate >= 0.75 && fate < 1 && random() < 0.5) freeze(actor, 100);
    await gate(actor);
    if (fate < 0.75) return unknown;
    if (fate < 1) {
      const second = await send();
      await gate(actor);
      return retried(second);
    }
    return first;
  };
  return {
    readMeta: () => read(() => log.readMeta()),
    createMeta: (meta) => read(() => log.createMeta(meta)),
    replaceMeta: (meta, revision) => read(() => log.replaceMeta(meta, revision)),
    readPointer: (at) => read(() => log.readPointer(at)),
    readSlot: (at, slot) => read(() => log.readSlot(at, slot)),
    // As single reads in a random order would: each slot at a time of its own.
    readSlots: async (at, slots) => {
      const items = new Map<number, Awaited<ReturnType<CheckpointLog["readSlot"]>>>();
      for (const slot of [...slots].sort(() => random() - 0.5))
        items.set(slot, await read(() => log.readSlot(at, slot)));
      return slots.map((slot) => items.get(slot) ?? null);
    },
    putSlot: (at, slot, item, expected, guard) =>
      write(
        () => log.putSlot(at, slot, item, expected, guard),
        (result) => result,
      ),
    movePointer: (at, next, expected, guard) =>
      write(
        () => log.movePointer(at, next, expected, guard),
        (result) => (result.outcome === "refused" ? { ...result, sentOnce: false } : result),
      ),
    raisePublished: (at, p) => read(() => log.raisePublished(at, p)),
  };
}

export function faultyObjects(
  objects: ObjectStore,
  actor: string,
  { gate, random }: Scheduler,
  faults: Faults,
): ObjectStore {
  const call = async <T>(run: () => Promise<T>): Promise<T> => {
    await gate(actor);
    const fate = random() / (faults.failed || Number.MIN_VALUE);
    if (fate < 0.5) throw new NetworkFailure("not done");
    const result = await run();
    await gate(actor);
    if (fate < 1) throw new NetworkFailure("done, not told");
    return result;
  };
  return {
    put: (key, bytes) => call(() => objects.put(key, bytes)),
    get: (key) => call(() => objects.get(key)),
    delete: (keys) => call(() => objects.delete(keys)),
    folders: (prefix) => call(() => objects.folders(prefix)),
    async *list(prefix) {
      for await (const object of objects.list(prefix)) {
        await gate(actor);
        yield object;
      }
    },
  };
}
