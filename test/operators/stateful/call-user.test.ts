import { describe, expect, it } from "vitest";
import { userError } from "../../../lib/errors.js";
import { callUser } from "../../../lib/operators/stateful/call-user.js";

describe("callUser", () => {
  it("gives back what the call returns", () => {
    expect(callUser("op", {}, () => 5)).toBe(5);
  });

  it("says which operator and key failed, and keeps the cause", () => {
    const cause = new Error("boom");
    const call = () =>
      callUser("op", { user: "a", n: 1n }, () => {
        throw cause;
      });
    expect(call).toThrow(/user-function.*op.*\{"user":"a","n":"1"\}: boom/);
    expect(call).toThrow(expect.objectContaining({ cause, domain: "user", retry: false }));
  });

  it("lets an error of ours pass", () => {
    const own = userError("timeout-in-the-past", "x", "y");
    expect(() =>
      callUser("op", {}, () => {
        throw own;
      }),
    ).toThrow(own);
  });
});
