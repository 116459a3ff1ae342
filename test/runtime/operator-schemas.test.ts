import { describe, expect, it } from "vitest";
import { columns, string, timestamp } from "../../lib/api/columns.js";
import { memory } from "../../lib/api/descriptors.js";
import { readStream } from "../../lib/api/read-stream.js";
import { isStateful, nodesUpwards } from "../../lib/plan/walk.js";
import { rowSchemas } from "../../lib/runtime/operator-schemas.js";

const left = readStream(memory({ name: "left", schema: columns({ k: string(), lt: timestamp() }) }));
const right = readStream(memory({ name: "right", schema: columns({ k: string(), rt: timestamp() }) }));

describe("the columns of a row that was turned away", () => {
  const { plan } = left.withWatermark("lt", "1 minute").join(right.withWatermark("rt", "1 minute"), { using: ["k"] });
  const { operatorId } = nodesUpwards(plan).find(isStateful)!;
  const schemaOf = rowSchemas(plan);
  const names = (row: Record<string, unknown>) => schemaOf(operatorId, row)?.fields.map(({ name }) => name);

  it("are those of the join's side that it came from", () => {
    expect(names({ k: "a", lt: 1 })).toEqual(["k", "lt"]);
    expect(names({ k: "a", rt: 1 })).toEqual(["k", "rt"]);
  });

  it("are not known for another row or operator", () => {
    expect(names({ x: 1 })).toBeUndefined();
    expect(schemaOf("nobody", { k: "a", lt: 1 })).toBeUndefined();
  });
});
