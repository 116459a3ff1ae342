import { describe, expect, it } from "vitest";
import { decisionText, parseDecisions } from "./decision-text.js";
import { trimmed } from "./shrink.js";

describe("a list of decisions", () => {
  it.each([[[]], [[0]], [[3]], [[1, 0, 0, 0, 2]], [[0, 0, 7, 0, 1]]])("survives the command line: %j", (decisions) => {
    expect(parseDecisions(decisionText(decisions))).toEqual(decisions);
  });

  it("loses the zeros at its end, which a replay takes for granted", () => {
    expect(trimmed([1, 0, 2, 0, 0])).toEqual([1, 0, 2]);
    expect(trimmed([0, 0])).toEqual([]);
  });
});
