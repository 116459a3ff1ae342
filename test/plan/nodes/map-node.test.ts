import { expect, test } from "vitest";
import { mapNode } from "../../../lib/plan/nodes/nodes.js";
import { codeOf, events, schemaOf } from "../plans.js";

const map = { kind: "map", function: "f", schema: schemaOf({ at: "timestamp", host: "string" }) } as const;

test("the schema is that of the function's rows, and no event time goes on unless it is named", () => {
  expect(mapNode(events, map)).toMatchObject({ schema: map.schema });
  expect(mapNode(events, map)).not.toHaveProperty("eventTime");
  expect(mapNode(events, { ...map, eventTime: "at" }).eventTime).toBe("at");
});

test("the event time must be a column that can carry one", () => {
  expect(codeOf(() => mapNode(events, { ...map, eventTime: "nope" }))).toBe("unknown-column");
  expect(codeOf(() => mapNode(events, { ...map, eventTime: "host" }))).toBe("event-time-type");
});
