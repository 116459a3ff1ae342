import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { guardUploads, StaleUploads } from "../../lib/checkpoint/dynamodb-upload-guard.js";

const MINUTE = 60_000;

/** A client whose signer notes its signing dates; reading the clock takes a minute, so that two readings are told apart. */
function guarded() {
  const dates: unknown[] = [];
  const clock = { time: 1_700_000_000_000, readings: 0 };
  const config = {
    systemClockOffset: 250,
    signer: async () => ({
      sign: async (_: unknown, options: { readonly signingDate?: Date }) =>
        void dates.push(options.signingDate?.getTime()),
    }),
  };
  const guard = guardUploads({ config } as unknown as DynamoDBClient, () => {
    clock.time += MINUTE;
    clock.readings++;
    return clock.time;
  });
  const send = async () => {
    const signer = (await config.signer()) as { sign(request: unknown, options: object): Promise<unknown> };
    await signer.sign({}, {});
  };
  return { dates, clock, guard, send };
}

describe("the clock check of rule 5 (TRIALS-2 E17, CE6)", () => {
  it("signs with the very instant that it checked, read once per sending", async () => {
    const { dates, clock, guard, send } = guarded();
    await guard({ oldestUpload: clock.time }, async () => {
      await send();
      await send();
    });
    expect(dates).toEqual([1_700_000_000_000 + MINUTE + 250, 1_700_000_000_000 + 2 * MINUTE + 250]);
    expect(clock.readings).toBe(2);
  });

  it("sends no retry once the oldest upload is more than 15 minutes old", async () => {
    const { dates, clock, guard, send } = guarded();
    const sending = guard({ oldestUpload: clock.time }, async () => {
      for (let attempt = 0; attempt < 20; attempt++) await send();
    });
    await expect(sending).rejects.toThrow(StaleUploads);
    expect(dates).toHaveLength(15);
  });

  it("leaves alone what names no upload", async () => {
    const { dates, clock, guard, send } = guarded();
    await guard({ oldestUpload: null }, send);
    expect([dates, clock.readings]).toEqual([[undefined], 0]);
  });
});
