import { expect, test } from "vitest";
import { assignOperatorIds } from "../../lib/plan/assign-operator-ids.js";
import { deduplicateNode, sourceNode, unionNode, watermarkNode } from "../../lib/plan/nodes/nodes.js";
import { isStateful, nodesUpwards } from "../../lib/plan/walk.js";
import { events, timedEvents } from "./plans.js";

const clicksAsEvents = sourceNode("clicks", { kind: "memory" }, events.schema);

const ids = (plan: Parameters<typeof nodesUpwards>[0]) =>
  nodesUpwards(plan)
    .filter(isStateful)
    .map(({ operatorId }) => operatorId);

const byUser = deduplicateNode(timedEvents, { keys: ["user"] });

test("copies, which always hold the same state, get ordinals", () => {
  const plan = assignOperatorIds(unionNode(byUser, byUser));
  expect(ids(plan)).toEqual([byUser.operatorId, `${byUser.operatorId}-2`]);
});

test("equals are told apart by what feeds them, wherever they stand", () => {
  const ofClicks = deduplicateNode(watermarkNode(clicksAsEvents, "ts", "1 second"), { keys: ["user"] });
  const [first, second] = ids(assignOperatorIds(unionNode(byUser, ofClicks)));
  expect(first).toMatch(/^dedupe:60785ef2\.[0-9a-f]{8}$/);
  expect(second).toMatch(/^dedupe:60785ef2\.[0-9a-f]{8}$/);
  expect(ids(assignOperatorIds(unionNode(ofClicks, byUser)))).toEqual([second, first]);
  expect(
    new Set(ids(assignOperatorIds(deduplicateNode(unionNode(byUser, byUser), { keys: ["user"] })))),
  ).toHaveProperty("size", 3);
});

test("a delay, or the order of a union's branches below, does not change an id", () => {
  const over = (delay: string, first: boolean) => {
    const other = watermarkNode(clicksAsEvents, "ts", delay);
    const both = first ? unionNode(timedEvents, other) : unionNode(other, timedEvents);
    return unionNode(deduplicateNode(both, { keys: ["user"] }), byUser);
  };
  expect(ids(assignOperatorIds(over("1 second", true)))).toEqual(ids(assignOperatorIds(over("9 seconds", false))));
});

test("explicit ids and plans without equals are left as they are", () => {
  const plan = deduplicateNode(byUser, { keys: ["user"], operatorId: "mine" });
  expect(assignOperatorIds(plan)).toBe(plan);
});

test("ids depend on kind and keys, not on the place in the plan", () => {
  const above = deduplicateNode(deduplicateNode(timedEvents, { keys: ["value"] }), { keys: ["user"] });
  expect(above.operatorId).toBe(byUser.operatorId);
});
