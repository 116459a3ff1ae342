import type { Choices } from "../choices.js";
import type { World } from "../world.js";

/** What lies between one actor and the services. */
export interface Network {
  readonly choices: Choices;
  faults(): { readonly lost: number; readonly failed: number };
  gate(what: string): Promise<void>;
  note(text: string): void;
  /** The actor sleeps now: where an answer is lost, the time until the retry is what hurts. */
  stall(): void;
  /** A write that its sender gave up and that is still on its way. */
  sendLater(send: () => Promise<unknown>): void;
  /** A call that may fail before or after it takes effect. */
  call<T>(what: string, run: () => Promise<T>): Promise<T>;
}

/** That of an actor, which any call may put to sleep: until somebody wakes it, or until pointers have moved once or twice. */
export function newNetwork(world: World, actor: string): Network {
  const { choices, clock, plan } = world;
  const network: Network = {
    choices,
    faults: () => world.faults,
    gate: (what) => plan.gate(actor, what),
    note: (text) => world.trace(`    ${actor}: ${text}`),
    stall: () => world.stall(actor, [null, 1, 2][choices.pick(3)]!),
    sendLater: (apply) => void world.inFlight.push({ sentAt: clock.time, apply }),
    async call(what, run) {
      const { failed } = network.faults();
      if (choices.chance(failed / 2)) network.stall();
      await network.gate(what);
      const fate = failed === 0 ? 0 : choices.weighted([1 - failed, failed / 2, failed / 2]);
      if (fate === 1) {
        network.note("500");
        throw new Error(`simulated: ${what} failed`);
      }
      const result = await run();
      await network.gate(`${what} answers`);
      if (fate === 2) {
        network.note("answer lost");
        throw new Error(`simulated: ${what} has no answer`);
      }
      return result;
    },
  };
  return network;
}
