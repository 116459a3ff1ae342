import { expect, test } from "vitest";
import { deduplicateNode, sourceNode } from "../../../lib/plan/nodes/nodes.js";
import { codeOf, events } from "../plans.js";

test("without keys all columns are", () => {
  expect(deduplicateNode(events).keys).toEqual(["ts", "user", "value"]);
  expect(deduplicateNode(events, { keys: [] }).keys).toEqual(["ts", "user", "value"]);
});

test("the two kinds keep states of their own", () => {
  const [plain, within] = [false, true].map((withinWatermark) =>
    deduplicateNode(events, { keys: ["user"], withinWatermark }),
  );
  expect(plain!.operatorId).not.toBe(within!.operatorId);
});

test("keys must be columns, and all columns must be known to be all keys", () => {
  expect(codeOf(() => deduplicateNode(events, { keys: ["nope"] }))).toBe("unknown-column");
  const open = sourceNode("open", { kind: "memory" }, { fields: [], open: true });
  expect(codeOf(() => deduplicateNode(open))).toBe("open-columns");
});
