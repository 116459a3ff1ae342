import { expect, it } from "vitest";
import { readableRow } from "../../lib/sinks/readable-row.js";

const noon = Date.UTC(2024, 0, 1, 12);

it("readableRow says times in words, columns of the schema first", () => {
  const schema = {
    fields: [
      { name: "at", type: "timestamp", nullable: true },
      { name: "local", type: "timestamp_ntz", nullable: true },
      { name: "w", type: "window", nullable: true },
      { name: "times", type: { array: "timestamp" }, nullable: true },
      { name: "s", type: { struct: [{ name: "t", type: "timestamp", nullable: true }] }, nullable: true },
      { name: "absent", type: "timestamp", nullable: true },
    ] as const,
  };
  const window = { start: noon, end: noon + 1000 };
  expect(
    Object.entries(readableRow({ extra: 1, at: noon, local: noon, w: window, times: [noon], s: { t: noon } }, schema)),
  ).toEqual([
    ["at", "2024-01-01T12:00:00Z"],
    ["local", "2024-01-01T12:00:00"],
    ["w", { start: "2024-01-01T12:00:00Z", end: "2024-01-01T12:00:01Z" }],
    ["times", ["2024-01-01T12:00:00Z"]],
    ["s", { t: "2024-01-01T12:00:00Z" }],
    ["absent", null],
    ["extra", 1],
  ]);
});

it("readableRow leaves a row alone whose columns are not known", () => {
  const row = { at: noon };
  expect(readableRow(row, undefined)).toBe(row);
});
