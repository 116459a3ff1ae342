import { expect, test } from "vitest";
import type { SourceConnector } from "../../../lib/plan/connectors/source-connector.js";
import { sourceNode, staticNode } from "../../../lib/plan/nodes/nodes.js";
import type { Schema } from "../../../lib/plan/schema.js";
import { codeOf, schemaOf } from "../plans.js";

const page = schemaOf({ page: "string" });

test.each([
  (schema: Schema) => sourceNode("s", { kind: "memory" }, schema),
  (schema: Schema) => staticNode("s", { kind: "table", rows: [] }, schema),
])("names that would break a row are refused", (make) => {
  expect(codeOf(() => make(page))).toBe("accepted");
  const fields = [{ name: "__proto__", type: "string", nullable: true }] as const;
  expect(codeOf(() => make({ fields }))).toBe("column-name");
});

test("an unknown kind, an unknown option and a missing one are refused", () => {
  const made = (descriptor: object) => () => sourceNode("s", descriptor as SourceConnector, page);
  expect(made({ kind: "sqs" })).toThrow("[connector-unknown] There is no source of kind 'sqs'.");
  expect(made({ kind: "kinesis" })).toThrow("[option-missing] The source 'kinesis' needs its option 'stream'.");
  expect(made({ kind: "kinesis", stream: "s", sizze: 1 })).toThrow(
    "[option-unknown] The source 'kinesis' has no option 'sizze'.",
  );
  expect(made({ kind: "kinesis", stream: "s", acros: "min" })).toThrow("Write 'across'.");
});
