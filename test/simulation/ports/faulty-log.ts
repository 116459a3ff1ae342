import type { CheckpointLog, MoveResult, PutResult } from "../../../lib/checkpoint/checkpoint-log.js";
import type { Network } from "./network.js";

/** The pointer moves once per lap, so more of its moves go wrong. */
const MOVES_ARE_RARE = 2.5;
/** Once per deploy, and worst if slept over a reset. */
const META_CHANGES_ARE_RARE = 5;

/** The log as one environment sees it: every call waits before and after it takes effect, and conditional writes may lose their answers. */
export function faultyLog(log: CheckpointLog, network: Network): CheckpointLog {
  const { gate, choices, call } = network;

  const write = async <R extends PutResult | MoveResult>(
    what: string,
    send: () => Promise<R>,
    retried: (result: R) => R,
    often = 1,
  ): Promise<R> => {
    const lost = network.faults().lost * often;
    if (choices.chance(lost / 4)) network.stall();
    await gate(what);
    const unknown = { outcome: "unknown", cause: new Error("simulated: no answer") } as R;
    switch (lost === 0 ? 0 : choices.weighted([1 - lost, lost / 4, lost / 4, lost / 4, lost / 4])) {
      case 1:
        network.note("never arrives");
        return unknown;
      case 2:
        network.note("arrives later");
        network.sendLater(send);
        return unknown;
      case 3: {
        const { outcome } = await send();
        network.note(`${outcome}, answer lost`);
        await gate(`${what} times out`);
        return unknown;
      }
      case 4: {
        await send();
        if (choices.chance(0.5)) network.stall();
        await gate(`${what} again`);
        const result = retried(await send());
        network.note(`sent twice: ${result.outcome}`);
        await gate(`${what} answers`);
        return result;
      }
      default: {
        const result = await send();
        network.note(result.outcome);
        await gate(`${what} answers`);
        return result;
      }
    }
  };

  return {
    readMeta: () => call("read meta", () => log.readMeta()),
    createMeta: (meta) => call("create meta", () => log.createMeta(meta)),
    replaceMeta: (meta, revision) => {
      if (choices.chance(network.faults().failed * META_CHANGES_ARE_RARE)) network.stall();
      return call("replace meta", () => log.replaceMeta(meta, revision));
    },
    readPointer: (at) => call("read pointer", () => log.readPointer(at)),
    readSlot: (at, slot) => call(`read slot ${slot}`, () => log.readSlot(at, slot)),
    // As single reads would: each slot at a time of its own, in any order of two halves.
    readSlots: async (at, slots) => {
      const half = Math.ceil(slots.length / 2);
      const parts = [slots.slice(0, half), slots.slice(half)].filter((part) => part.length > 0);
      const backwards = parts.length > 1 && choices.pick(2) === 1;
      const read: Awaited<ReturnType<CheckpointLog["readSlots"]>>[] = [];
      for (const index of backwards ? [1, 0] : parts.keys())
        read[index] = await call(`read slots ${parts[index]!.join(" ")}`, () => log.readSlots(at, parts[index]!));
      return read.flat();
    },
    putSlot: (at, slot, item, expected, guard) =>
      write(
        `put ${item.batchId} (${item.attemptId})`,
        () => log.putSlot(at, slot, item, expected, guard),
        (result) => result,
      ),
    movePointer: (at, next, expected, guard) =>
      write(
        `move pointer to ${next.batchId}`,
        () => log.movePointer(at, next, expected, guard),
        (result) => (result.outcome === "refused" ? { ...result, sentOnce: false } : result),
        MOVES_ARE_RARE,
      ),
    raisePublished: async (at, published) => {
      const raise = () => log.raisePublished(at, published);
      const fate = choices.weighted([1 - network.faults().lost, network.faults().lost]);
      // Given up by its sender, it may still be on its way when others are further.
      if (fate === 1) {
        network.sendLater(async () => void (await raise()));
        throw new Error("simulated: no answer");
      }
      return call(`raise published to ${published}`, raise);
    },
  };
}
