import { describe, expect, it } from "vitest";
import { consumedDeliveries } from "../../lib/runtime/consumed-deliveries.js";
import { decodeDeliveries } from "../../lib/runtime/micro-batch-input.js";
import { delivery, jsonDecoder } from "./support/harness.js";

const schema = { fields: [{ name: "t", type: "timestamp", nullable: false }] } as const;
const first = delivery("a", 1, [
  { t: 1, arrival: 10 },
  { t: 2, arrival: 20 },
]);
const second = delivery("b", 5, [{ t: 3, arrival: 15 }]);

const consumedOf = (marks: readonly number[], limit: number) => {
  const input = decodeDeliveries([{ name: "input", schema }], new Map([["input", jsonDecoder]]), [first, second]);
  return consumedDeliveries({ input, consumed: Uint8Array.from(marks), rejected: new Map(), limit }, limit);
};
const at = (sequence: string) => ({ sequence, sub: 0 });

describe("what was consumed of the deliveries", () => {
  it("is a run and an arrival per delivery", () => {
    const { offsets, reads } = consumedOf([0, 0, 0], 3);
    expect(offsets).toEqual([
      { shard: "input/a", first: at("1"), last: at("2") },
      { shard: "input/b", first: at("5"), last: at("5") },
    ]);
    expect(reads.map(({ readTo }) => readTo)).toEqual([20, 15]);
  });

  it("ends where the batch was cut", () => {
    const { offsets, reads } = consumedOf([0, 0, 0], 1);
    expect(offsets).toEqual([{ shard: "input/a", first: at("1"), last: at("1") }]);
    expect(reads.map(({ readTo }) => readTo)).toEqual([10]);
  });

  it("records nothing of a delivery that was skipped whole, yet knows that it was read", () => {
    const { offsets, reads } = consumedOf([1, 1, 0], 3);
    expect(offsets.map(({ shard }) => shard)).toEqual(["input/b"]);
    expect(reads).toHaveLength(2);
  });
});
