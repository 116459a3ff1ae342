import { describe, expect, test } from "vitest";
import { joinNode, mapNode, projectNode } from "../../../lib/plan/nodes/nodes.js";
import { call, clicks, codeOf, column, events, keep } from "../plans.js";

const on = call("eq", column("user", "left"), column("rk", "right"));
const nullability = (type: Parameters<typeof joinNode>[2]["type"]) =>
  joinNode(strict, clicks, { type, on }).schema.fields.map(({ name, nullable }) => (nullable ? `${name}?` : name));
const strict = projectNode(events, [
  { name: "user", value: call("coalesce", column("user"), { kind: "literal", value: "-", type: "string" }) },
]);

describe("the output of a join", () => {
  test("is the left, then the right, nullable where a partner may be missing", () => {
    expect(nullability("inner")).toEqual(["user", "rts?", "rk?", "rv?"]);
    expect(nullability("rightOuter")).toEqual(["user?", "rts?", "rk?", "rv?"]);
    expect(nullability("leftSemi")).toEqual(["user"]);
  });

  test("has a using column once", () => {
    const right = projectNode(clicks, [keep("rv"), keep("rk", "user")]);
    const node = joinNode(events, right, { type: "inner", using: ["user"] });
    expect(node.schema.fields.map(({ name }) => name)).toEqual(["user", "ts", "value", "rv"]);
    expect(node.on).toEqual(call("eq", column("user", "left"), column("user", "right")));
  });

  test("cannot have two columns of one name", () => {
    const right = projectNode(clicks, [keep("rk"), keep("rv", "value")]);
    expect(codeOf(() => joinNode(events, right, { type: "inner", on }))).toBe("duplicate-column");
    expect(codeOf(() => joinNode(events, right, { type: "leftSemi", on }))).toBe("accepted");
  });
});

describe("the condition", () => {
  test("must be there, be boolean and know its columns", () => {
    expect(codeOf(() => joinNode(events, clicks, { type: "inner" }))).toBe("join-condition-missing");
    expect(codeOf(() => joinNode(events, clicks, { type: "inner", on: column("value", "left") }))).toBe(
      "not-a-condition",
    );
    expect(codeOf(() => joinNode(events, clicks, { type: "inner", on: column("nope", "left") }))).toBe(
      "unknown-column",
    );
    expect(codeOf(() => joinNode(events, clicks, { type: "inner", using: ["user"] }))).toBe("unknown-column");
  });
});

test("the implicit id survives a changed time bound, as the state does", () => {
  const bounded = (seconds: number) =>
    joinNode(events, clicks, {
      type: "inner",
      on: call(
        "and",
        on,
        call(
          "le",
          column("rts", "right"),
          call("add", column("ts", "left"), { kind: "interval", micros: seconds * 1e6, text: `${seconds} s` }),
        ),
      ),
    }).operatorId;
  expect(bounded(10)).toBe(bounded(20));
});

test("columns that nobody named are not joined", () => {
  const open = mapNode(events, { kind: "map", function: "f", schema: { fields: [], open: true } });
  expect(codeOf(() => joinNode(open, clicks, { type: "inner", on }))).toBe("open-columns");
});
