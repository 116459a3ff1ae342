import { describe, expect, it } from "vitest";
import type { PointerItem, SlotItem } from "../../lib/checkpoint/checkpoint-log.js";
import {
  afterMove,
  afterPut,
  beforePut,
  expectedOccupant,
  isCompactionTurn,
  learnPointer,
  NO_KNOWLEDGE,
  raise,
  readSlotFor,
  slotOf,
} from "../../lib/checkpoint/commit-ring.js";
import { MAX_STEPS, positionOf } from "../../lib/checkpoint/published-position.js";

const slot = (batchId: number, more: Partial<SlotItem> = {}): SlotItem => ({
  batchId,
  attemptId: "other",
  generation: 1,
  body: new Uint8Array(),
  ...more,
});
const pointer = (more: Partial<PointerItem> = {}): PointerItem => ({
  batchId: 5,
  manifestKey: "m5",
  generation: 1,
  publishedThrough: 0,
  published: 0,
  ...more,
});

describe("the place of a batch", () => {
  it("is slot n mod R, over nothing in the first round and over n - R afterwards", () => {
    expect([1, 64, 65].map((n) => slotOf(n, 64))).toEqual([1, 0, 1]);
    expect([1, 64, 65, 130].map((n) => expectedOccupant(n, 64))).toEqual([null, null, 1, 66]);
  });
});

describe("knowledge (rule 2)", () => {
  it("is only ever raised", () => {
    const known = { knownSnap: 4, knownPub: 6, knownStep: 0 };
    expect(raise(known, { knownSnap: 3, knownPub: 9 })).toEqual({ knownSnap: 4, knownPub: 9, knownStep: 0 });
    expect(raise(known, { knownPub: 5, knownStep: 8 })).toEqual(known);
  });

  it("learns from a pointer that everything up to its batch is published", () => {
    expect(learnPointer(NO_KNOWLEDGE, pointer())).toEqual({ knownSnap: 5, knownPub: 5, knownStep: 0 });
    expect(learnPointer(NO_KNOWLEDGE, pointer({ publishedThrough: 8 }))).toEqual({
      knownSnap: 5,
      knownPub: 8,
      knownStep: 0,
    });
  });

  it("learns publishedThrough from an item that has no manifest yet", () => {
    const bare = pointer({ batchId: 0, manifestKey: null, publishedThrough: 3 });
    expect(learnPointer(NO_KNOWLEDGE, bare)).toEqual({ knownSnap: 0, knownPub: 3, knownStep: 0 });
    expect(learnPointer(NO_KNOWLEDGE, null)).toEqual(NO_KNOWLEDGE);
  });
});

describe("the position of publication (rules A1, A3)", () => {
  const at = (knownPub: number, knownStep: number) => ({ knownSnap: 0, knownPub, knownStep });
  const learn = (known: ReturnType<typeof at>, published: number) =>
    learnPointer(known, pointer({ batchId: 0, manifestKey: null, published }));

  it("settles every entry below the one it stands in", () => {
    expect(learn(at(0, 0), 7_000_002)).toEqual(at(6, 2));
    expect(learn(at(6, 1), 7_000_002)).toEqual(at(6, 2));
    expect(learn(at(6, 3), 7_000_002)).toEqual(at(6, 3));
    expect(learn(at(7, 0), 7_000_002)).toEqual(at(7, 0));
  });

  it("starts its steps anew when anything else raises the entry [CE-S6]", () => {
    expect(raise(at(6, 3), { knownPub: 7 })).toEqual(at(7, 0));
    expect(learnPointer(at(4, 3), pointer({ batchId: 5, published: 5_000_003 }))).toEqual({
      ...at(5, 0),
      knownSnap: 5,
    });
    expect(learnPointer(at(4, 3), pointer({ batchId: 5, published: 6_000_001 }))).toEqual({
      ...at(5, 1),
      knownSnap: 5,
    });
  });

  it("is written as one number, larger for every later step", () => {
    expect([at(0, 0), at(0, 1), at(0, MAX_STEPS), at(1, 0)].map(positionOf)).toEqual([
      1_000_000, 1_000_001, 1_999_999, 2_000_000,
    ]);
  });
});

describe("reading a slot for batch 7 (rule 3)", () => {
  it("stops at the first absent or older entry", () => {
    expect(readSlotFor(7, null, 1)).toBe("head");
    expect(readSlotFor(7, slot(6), 1)).toBe("head");
  });

  it("applies the entry itself and restarts cold at a newer one", () => {
    expect(readSlotFor(7, slot(7), 1)).toBe("apply");
    expect(readSlotFor(7, slot(8), 1)).toBe("restart-cold");
  });

  it("gives up at an entry of newer code, and not at one of older (rule 13)", () => {
    expect(readSlotFor(7, slot(7, { generation: 2 }), 1)).toBe("superseded");
    expect(readSlotFor(7, slot(9, { generation: 2 }), 1)).toBe("superseded");
    expect(readSlotFor(7, slot(7, { generation: 1 }), 2)).toBe("apply");
  });
});

describe("before the put of batch n (rule 5)", () => {
  it("needs no snapshot in the first round, and one of n - R or later after it", () => {
    expect(beforePut(64, 64, NO_KNOWLEDGE)).toBe("put");
    expect(beforePut(65, 64, NO_KNOWLEDGE)).toBe("snapshot-first");
    expect(beforePut(65, 64, { knownSnap: 1, knownPub: 1, knownStep: 0 })).toBe("put");
    expect(beforePut(66, 64, { knownSnap: 1, knownPub: 65, knownStep: 0 })).toBe("snapshot-first");
  });

  it("is a bug if the entry to overwrite is not known to be published, snapshot or not", () => {
    expect(beforePut(66, 64, { knownSnap: 2, knownPub: 1, knownStep: 0 })).toBe("broken");
  });
});

describe("the outcome of the put of batch 7 (rule 6)", () => {
  const refusedBy = (existing: SlotItem | null) => afterPut(7, "mine", 1, { outcome: "refused", existing });

  it("is a commit if it was applied, or refused by itself", () => {
    expect(afterPut(7, "mine", 1, { outcome: "applied" })).toEqual({ step: "committed" });
    expect(refusedBy(slot(7, { attemptId: "mine" }))).toEqual({ step: "committed" });
  });

  it("is a lost race if another attempt stands there: apply it to the untouched base and redo", () => {
    expect(refusedBy(slot(7))).toMatchObject({ step: "apply-and-redo", entry: slot(7), deleteUploads: true });
  });

  it("is never taken for a commit if a newer batch stands there, whoever wrote it [CE3b]", () => {
    expect(refusedBy(slot(71, { attemptId: "mine" }))).toEqual({ step: "reload-and-redo", deleteUploads: true });
  });

  it("is a bug if something older or nothing stands there", () => {
    expect(refusedBy(slot(6))).toEqual({ step: "broken" });
    expect(refusedBy(null)).toEqual({ step: "broken" });
  });

  it("stays unknown when nobody can tell, and deletes nothing", () => {
    const cause = new Error("timeout");
    expect(afterPut(7, "mine", 1, { outcome: "unknown", cause })).toEqual({ step: "unknown", cause });
  });

  it("asks for new uploads when the old ones may not be named any more", () => {
    expect(afterPut(7, "mine", 1, { outcome: "stale-uploads" })).toEqual({ step: "upload-again" });
  });

  it("ends this code when newer code's entry stands there", () => {
    expect(refusedBy(slot(7, { generation: 2 }))).toEqual({ step: "superseded" });
    expect(refusedBy(slot(71, { generation: 2 }))).toEqual({ step: "superseded" });
  });
});

describe("the outcome of moving the pointer (rule 7)", () => {
  const refusedBy = (existing: PointerItem | null, sentOnce = true) =>
    afterMove("mine", 1, { outcome: "refused", existing, sentOnce });

  it("is installed if it was applied, or refused by itself [CE2]", () => {
    expect(afterMove("mine", 1, { outcome: "applied" })).toEqual({ step: "installed" });
    expect(refusedBy(pointer({ manifestKey: "mine" }), false)).toEqual({ step: "installed" });
  });

  it("is lost otherwise; uploads may be deleted only if the update was sent once [CE5]", () => {
    expect(refusedBy(pointer())).toEqual({ step: "lost", knownSnap: 5, deleteUploads: true });
    expect(refusedBy(pointer(), false)).toEqual({ step: "lost", knownSnap: 5, deleteUploads: false });
  });

  it("ends this code when the snapshot is of newer code's entry [CE10]", () => {
    expect(refusedBy(pointer({ generation: 2 }))).toEqual({ step: "superseded" });
  });

  it("stays unknown, or asks for new uploads", () => {
    const cause = new Error("timeout");
    expect(afterMove("mine", 1, { outcome: "unknown", cause })).toEqual({ step: "unknown", cause });
    expect(afterMove("mine", 1, { outcome: "stale-uploads" })).toEqual({ step: "upload-again" });
  });
});

describe("the turn to compact (rule 7)", () => {
  it("falls to one committer in half a ring", () => {
    const turns = Array.from({ length: 130 }, (_, n) => n + 1).filter((n) => isCompactionTurn(n, 64));
    expect(turns).toEqual([32, 64, 96, 128]);
    expect(isCompactionTurn(3, 1)).toBe(true);
  });
});
