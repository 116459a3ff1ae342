import { expect, test } from "vitest";
import { requireClosed } from "../../lib/plan/require-closed.js";
import { codeOf } from "./plans.js";

test("a verb that must name all columns is refused where some come only at run time", () => {
  expect(codeOf(() => requireClosed({ fields: [] }, "drop()"))).toBe("accepted");
  expect(codeOf(() => requireClosed({ fields: [], open: true }, "drop()"))).toBe("open-columns");
});
