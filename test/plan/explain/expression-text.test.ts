import { expect, test } from "vitest";
import { expressionText } from "../../../lib/plan/explain/expression-text.js";
import { call, column, interval } from "../plans.js";

test("expressions are written as in SQL, nested ones in brackets", () => {
  const later = call("add", column("ts", "left"), interval(10));
  expect(expressionText(call("le", column("rts", "right"), later))).toBe(
    "right.rts <= (left.ts + interval '10 seconds')",
  );
  expect(expressionText(call("isNull", call("upper", column("user"))))).toBe("isNull(upper(user))");
  expect(expressionText({ kind: "column", name: "window", path: ["start"] })).toBe("window.start");
});

test("literals, functions and windows", () => {
  expect(expressionText({ kind: "literal", value: "x", type: "string" })).toBe("'x'");
  expect(expressionText({ kind: "literal", value: "9007199254740993", type: "long" })).toBe("9007199254740993");
  expect(expressionText({ kind: "literal", value: null, type: "json" })).toBe("null");
  expect(expressionText({ function: "filter-1" })).toBe("function filter-1");
  expect(
    expressionText({
      kind: "call",
      fn: "windowOf",
      args: [column("ts")],
      options: { size: 300_000_000, slide: 60_000_000, offset: 0 },
    }),
  ).toBe("windowOf(ts, 5 minutes, 1 minute, 0 seconds)");
});
