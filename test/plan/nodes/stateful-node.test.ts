import { expect, test } from "vitest";
import { statefulNode } from "../../../lib/plan/nodes/nodes.js";
import { codeOf, events, schemaOf } from "../plans.js";

const stateful = {
  kind: "transformWithState",
  keys: ["user"],
  function: "f",
  timeMode: "eventTime",
  outputMode: "append",
  schema: schemaOf({ at: "timestamp", n: "long" }),
} as const;

test("state is kept by the input's columns; the rows are the function's", () => {
  expect(statefulNode(events, stateful)).toMatchObject({ keys: ["user"], schema: stateful.schema });
  expect(codeOf(() => statefulNode(events, { ...stateful, keys: ["nope"] }))).toBe("unknown-column");
});

test("event time goes on in a column of the result", () => {
  expect(statefulNode(events, { ...stateful, eventTime: "at" }).eventTime).toBe("at");
  expect(codeOf(() => statefulNode(events, { ...stateful, eventTime: "n" }))).toBe("event-time-type");
});
