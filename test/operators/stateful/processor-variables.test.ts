import { describe, expect, it } from "vitest";
import { processorScope } from "../../../lib/operators/stateful/processor-scope.js";
import { processorVariables } from "../../../lib/operators/stateful/processor-variables.js";

describe("processorVariables", () => {
  it("declares one table per variable, found by prefix where it has several rows per key", () => {
    const { getters, tables } = processorVariables("op", processorScope());
    getters.getValueState("v");
    getters.getListState("l");
    getters.getMapState("m", { ttlMs: 5 });
    expect(tables).toEqual([
      { operatorId: "op", table: "state:v", locate: "key" },
      { operatorId: "op", table: "state:l", locate: "key", prefixed: true },
      { operatorId: "op", table: "state:m", locate: "key", prefixed: true, clock: "processingTime" },
    ]);
  });

  it("refuses a name taken twice, a variable after init, and a time to live that is none", () => {
    const variables = processorVariables("op", processorScope());
    variables.getters.getValueState("v");
    expect(() => variables.getters.getListState("v")).toThrow(/state-name-taken.*"v"/);
    expect(() => variables.getters.getValueState("w", { ttlMs: 0 })).toThrow(/ttl-invalid.*"w"/);
    variables.close();
    expect(() => variables.getters.getValueState("x")).toThrow(/state-outside-init.*"x"/);
  });
});
