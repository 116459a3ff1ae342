import { expect, it } from "vitest";
import { unionNode } from "../../lib/plan/nodes/nodes.js";
import { sourcesOf } from "../../lib/runtime/query-sources.js";
import { events, timedEvents } from "../plan/plans.js";

it("a source that is read twice stands twice", () => {
  expect(sourcesOf(unionNode(timedEvents, events)).map(({ name }) => name)).toEqual(["events", "events"]);
});
