import { expect, it } from "vitest";
import { rowsByDay } from "../../lib/sinks/rows-by-day.js";
import { outputBatch } from "../contract/sink.js";

const day = (n: number) => Date.UTC(2024, 0, n);
const days = (rows: readonly Record<string, unknown>[], timeColumn: string | null) =>
  rowsByDay({ ...outputBatch(rows), timeColumn }).map(([dt, own]) => [dt, own.map((row) => row["id"])]);

it("rowsByDay groups by the day of event time, days ascending, rows in their order", () => {
  const rows = [
    { id: 1, t: day(2) },
    { id: 2, t: new Date(day(1)) },
    { id: 3, t: { start: day(2), end: day(3) } },
  ];
  expect(days(rows, "t")).toEqual([
    ["2024-01-01", [2]],
    ["2024-01-02", [1, 3]],
  ]);
});

it("rowsByDay dates rows without time, or with one beyond the calendar, by their arrival", () => {
  const rows = [
    { id: 1, t: null },
    { id: 2, t: 1e300 },
    { id: 3, t: "2024-01-01" },
  ];
  expect(days(rows, "t")).toEqual([["2024-01-03", [1, 2, 3]]]);
  expect(days(rows, null)).toEqual([["2024-01-03", [1, 2, 3]]]);
});
