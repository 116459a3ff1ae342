import { describe, expect, it } from "vitest";
import { userError } from "../../lib/errors.js";
import { findFailingRecords } from "../../lib/runtime/find-failing-records.js";
import { decodeDeliveries } from "../../lib/runtime/micro-batch-input.js";
import { memoryState } from "../../lib/state/staged-state.js";
import { delivery, jsonDecoder } from "./support/harness.js";
import { windowedCount } from "./support/windowed-count.js";

/** The records of [0, 1, 2, …] at which `visit` throws. */
function search(visit: (row: Record<string, unknown>) => void) {
  const query = windowedCount({ sizeMs: 1_000, delayMs: 0, visit });
  const input = decodeDeliveries(query.sources, new Map([["input", jsonDecoder]]), [delivery("a", 1, [0, 1, 2, 3])]);
  const selection = { input, consumed: new Uint8Array(4), rejected: new Map(), limit: 4 };
  const pass = { watermarkForLateEvents: 0, watermarkForEviction: 0, processingTime: 0, state: memoryState().stage() };
  return findFailingRecords(query, new Map(), selection, pass);
}
const odd = (failure: (t: number) => unknown) =>
  search(({ t }) => {
    if ((t as number) % 2 === 1) throw failure(t as number);
  });

describe("the search for failing records", () => {
  it("finds every record at which a row function throws", () => {
    const failing = odd((t) => userError("user-function", `no ${t}`, "Handle it."));
    expect([...failing.keys()]).toEqual([1, 3]);
  });

  it("stops at the first throw that may have left half a row in an operator", () => {
    expect([...odd((t) => new Error(`no ${t}`)).keys()]).toEqual([1]);
  });

  it("finds nothing where no record is at fault", () => {
    expect(search(() => {}).size).toBe(0);
  });
});
