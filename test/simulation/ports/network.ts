import type { Choices } from "../choices.js";

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

export interface NetworkOptions extends Pick<Network, "choices" | "faults" | "note" | "stall" | "sendLater"> {
  readonly gate: (what: string) => Promise<void>;
}

export function newNetwork(options: NetworkOptions): Network {
  const { choices, gate } = options;
  return {
    ...options,
    async call(what, run) {
      const { failed } = options.faults();
      if (choices.chance(failed / 2)) options.stall();
      await gate(what);
      const fate = failed === 0 ? 0 : choices.weighted([1 - failed, failed / 2, failed / 2]);
      if (fate === 1) {
        options.note("500");
        throw new Error(`simulated: ${what} failed`);
      }
      const result = await run();
      await gate(`${what} answers`);
      if (fate === 2) {
        options.note("answer lost");
        throw new Error(`simulated: ${what} has no answer`);
      }
      return result;
    },
  };
}
