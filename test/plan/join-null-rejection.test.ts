import { expect, test } from "vitest";
import { nullRejectedColumns } from "../../lib/plan/join-null-rejection.js";
import { call, column } from "./plans.js";

const left = column("user", "left");
const right = column("rk", "right");

test("a comparison rejects NULL on both sides, each column once", () => {
  const names = nullRejectedColumns([call("eq", left, right), call("ne", left, right)]).map(({ name }) => name);
  expect(names).toEqual(["user", "rk"]);
});

test("what may be true of NULL rejects nothing", () => {
  const accepting = [
    call("eqNullSafe", left, right),
    call("isNull", left),
    call("or", call("eq", left, right), call("isNull", right)),
    call("eq", call("coalesce", left, right), call("coalesce", right, left)),
  ];
  expect(nullRejectedColumns(accepting)).toEqual([]);
});
