import { describe, expect, it } from "vitest";
import { joinOutput } from "../../lib/operators/join-output.js";
import type { JoinType } from "../../lib/plan/logical-plan.js";

const field = (name: string) => ({ name, type: "long" as const, nullable: true });
const schemas = { left: { fields: [field("id"), field("a")] }, right: { fields: [field("id"), field("b")] } };
const open = { left: { ...schemas.left, open: true as const }, right: schemas.right };

describe.each([
  ["declared", schemas],
  ["open", open],
])("the rows of a join of %s schemas", (_, inputs) => {
  const output = (type: JoinType) => joinOutput(type, inputs, ["id"]);

  it("have a shared column once: from the left, from the right in a right outer join", () => {
    const [left, right] = [
      { id: -0, a: 1 },
      { id: 0, b: 2 },
    ];
    expect(output("inner").combine(left, right)).toEqual({ id: -0, a: 1, b: 2 });
    expect(output("rightOuter").combine(left, right)).toEqual({ id: 0, a: 1, b: 2 });
  });

  it("have a shared column from the side that is there when the other is padded", () => {
    expect(output("fullOuter").pad("left", { id: 1, a: 1 })).toEqual({ id: 1, a: 1, b: null });
    expect(output("fullOuter").pad("right", { id: 2, b: 2 })).toEqual({ id: 2, a: null, b: 2 });
  });

  it("leave the rows of the inputs as they are", () => {
    const left = Object.freeze({ id: 1, a: 1 });
    expect(output("inner").combine(left, Object.freeze({ id: 1, b: 2 }))).not.toBe(left);
    expect(output("leftOuter").pad("left", left)).not.toBe(left);
  });
});

it("columns that an open schema does not name are in the output", () => {
  expect(joinOutput("inner", open, undefined).combine({ id: 1, a: 1, more: 9 }, { b: 2 })).toEqual({
    id: 1,
    a: 1,
    more: 9,
    b: 2,
  });
});
