import { expect, test } from "vitest";
import { assignOperatorIds } from "../../lib/plan/assign-operator-ids.js";
import { deduplicateNode, unionNode } from "../../lib/plan/nodes/nodes.js";
import { isStateful, nodesUpwards } from "../../lib/plan/walk.js";
import { timedEvents } from "./plans.js";

const ids = (plan: Parameters<typeof nodesUpwards>[0]) =>
  nodesUpwards(plan)
    .filter(isStateful)
    .map(({ operatorId }) => operatorId);

const byUser = deduplicateNode(timedEvents, { keys: ["user"] });

test("equal implicit ids get ordinals, left before right", () => {
  const plan = assignOperatorIds(deduplicateNode(unionNode(byUser, byUser), { keys: ["user"] }));
  expect(ids(plan)).toEqual([byUser.operatorId, `${byUser.operatorId}-2`, `${byUser.operatorId}-3`]);
});

test("explicit ids and plans without equals are left as they are", () => {
  const plan = deduplicateNode(byUser, { keys: ["user"], operatorId: "mine" });
  expect(assignOperatorIds(plan)).toBe(plan);
});

test("ids depend on kind and keys, not on the place in the plan", () => {
  const above = deduplicateNode(deduplicateNode(timedEvents, { keys: ["value"] }), { keys: ["user"] });
  expect(above.operatorId).toBe(byUser.operatorId);
});
