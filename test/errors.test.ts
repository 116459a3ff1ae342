import { expect, it } from "vitest";
import { externalError, internalError, TidemarkError, userError } from "../lib/errors.js";

it("says whose fault it is, whether to try again, and what to do", () => {
  const cause = new Error("socket closed");
  expect(externalError("table-down", "The table does not answer.", "Try again.", cause)).toMatchObject({
    name: "TidemarkError",
    code: "table-down",
    domain: "external",
    retry: true,
    remedy: "Try again.",
    message: "[table-down] The table does not answer. Try again.",
    cause,
  });
  expect(userError("a", "b", "c")).toMatchObject({ domain: "user", retry: false });
  expect(internalError("a", "b")).toMatchObject({ domain: "internal", retry: false });
});

it("has no cause unless there is one", () => {
  expect(userError("a", "b", "c")).toBeInstanceOf(TidemarkError);
  expect("cause" in userError("a", "b", "c")).toBe(false);
});
