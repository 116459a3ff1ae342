import { describe, expect, it } from "vitest";
import { decodeHead, encodeRecord } from "../../lib/shuffle/shuffle-codec.js";
import type { EntryRecord } from "../../lib/shuffle/shuffle-parts.js";
import type { EntryHead } from "../../lib/shuffle/shuffle-record.js";
import { shuffleOutbox, shuffleSink } from "../../lib/shuffle/shuffle-sink.js";
import { explicitHashKey, type ShuffleRecord } from "../../lib/shuffle/shuffle-stream.js";
import type { OutboxPart } from "../../lib/sinks/sink.js";

const record = (partition: number, part: number): EntryRecord => {
  const head = { query: "q", incarnation: "1", generation: 1, source: "s", shard: "0", batchId: 1, rows: 0 };
  return { partition, part, data: encodeRecord({ format: 1, ...head, partition, part, parts: 2 }, new Uint8Array(0)) };
};
const placeOf = ({ data }: ShuffleRecord) => {
  const { partition, part } = decodeHead(data).head as EntryHead;
  return `${partition}.${part}`;
};
const identity = { query: "q", incarnation: "1", partition: "ring.s.0", batchId: 1 };
const parts = shuffleOutbox([record(0, 1), record(0, 2), record(1, 1), record(2, 1), record(2, 2)]);
/** As the ring publishes: step by step, each with what joins it. */
const steps: OutboxPart[][] = [];
for (const part of parts) {
  if (part.joins) steps.at(-1)!.push(part);
  else steps.push([part]);
}

describe("the shuffle stream as a sink", () => {
  it("puts a partition's next part only after the acknowledgement of the one before [CS10]", async () => {
    const calls: string[][] = [];
    let refused = false;
    const stream = {
      putRecords: async (records: readonly ShuffleRecord[]) => {
        calls.push(records.map(placeOf));
        // The first time, the service takes all but partition 2's.
        const answers = records.map(({ partition }) => (!refused && partition === 2 ? "Throttled" : null));
        refused = true;
        return answers;
      },
    };
    const sink = shuffleSink({ stream, sleep: async () => {}, random: () => 0 });
    for (const step of steps) await sink.publish(identity, step);
    expect(calls).toEqual([["0.1", "1.1", "2.1"], ["2.1"], ["0.2", "2.2"]]);
  });

  it("puts again what may or may not have been taken, and gives up with the number of those left", async () => {
    let calls = 0;
    const stream = {
      putRecords: async (): Promise<(string | null)[]> => {
        calls++;
        throw new Error("connection lost");
      },
    };
    const sink = shuffleSink({ stream, sleep: async () => {}, random: () => 0 });
    await expect(sink.publish(identity, parts)).rejects.toMatchObject({ code: "shuffle-unavailable", retry: true });
    expect(calls).toBe(6);
  });
});

describe("the hash key of a partition", () => {
  it("is the middle of its share, so that no reshard into equal halves can part it", () => {
    expect(explicitHashKey(0, 1)).toBe((2n ** 127n).toString());
    expect(explicitHashKey(0, 4)).toBe((2n ** 125n).toString());
    expect(explicitHashKey(3, 4)).toBe((7n * 2n ** 125n).toString());
    expect(BigInt(explicitHashKey(1_023, 1_024))).toBeLessThan(2n ** 128n);
  });
});
