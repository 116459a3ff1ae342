import { Buffer } from "node:buffer";
import { rowWriter } from "../sinks/json-lines.js";
import type { OutputBatch, OutputName, Sink } from "../sinks/sink.js";
import { stagedFor } from "../sinks/staged-for.js";
import { cellsOf } from "./cells.js";
import { cutLine, textTable } from "./text-table.js";

/** Of the side outputs a terminal shows what a person asks first; the files have all of it. */
const SHOWN: Readonly<Record<OutputName, ReadonlySet<string> | null>> = {
  result: null,
  late: new Set(["row", "eventTime", "lateByMs", "watermark", "reason"]),
  malformed: new Set(["reason", "detail", "source"]),
};

interface StagedTable {
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

interface TableShape {
  readonly maxRows: number;
  /** Characters of a line. */
  readonly columns: number;
}

/** A table per micro-batch and output, cut after `maxRows` and at the terminal's edge. */
export const tableSink = (write: (text: string) => void, { maxRows, columns }: TableShape): Sink =>
  textSink(
    "terminal:table",
    (batch) => {
      const shown = SHOWN[batch.output];
      const fields = batch.schema.fields.filter(({ name }) => shown === null || shown.has(name));
      const table: StagedTable = {
        names: fields.map(({ name }) => name),
        rows: batch.rows.map(cellsOf({ fields })),
      };
      return JSON.stringify(table);
    },
    (text, output, batchId) => {
      const { names, rows } = JSON.parse(text) as StagedTable;
      const lines = textTable(names, rows.slice(0, maxRows)).map((line) => cutLine(line, columns));
      const more = rows.length > maxRows ? [`… ${rows.length - maxRows} more; --rows N shows more of them`] : [];
      const title = output === "result" ? `batch ${batchId}` : `batch ${batchId}, ${output}`;
      write(`${[title, ...lines, ...more].join("\n")}\n\n`);
    },
  );

/** One JSON object per line and row: `{"output", "batchId", "row"}`. */
export const jsonSink = (write: (text: string) => void): Sink =>
  textSink(
    "terminal:json",
    ({ rows, schema }) => rows.map(rowWriter(schema)).join("\n"),
    (text, output, batchId) =>
      write(
        text
          .split("\n")
          .map((row) => `{"output":"${output}","batchId":${batchId},"row":${row}}\n`)
          .join(""),
      ),
  );

/** At least once: what a resumed run publishes again is printed again. */
const textSink = (
  target: string,
  stage: (batch: OutputBatch) => string,
  show: (text: string, output: OutputName, batchId: number) => void,
): Sink => ({
  kind: "terminal",
  wholeCommit: true,
  target,
  stage: (batch) =>
    batch.rows.length === 0
      ? []
      : [{ output: batch.output, sink: "terminal", bytes: Buffer.from(stage(batch), "utf8") }],
  publish: async ({ batchId }, parts) => {
    for (const { output, bytes } of stagedFor("terminal", parts)) {
      show(Buffer.from(bytes).toString("utf8"), output, batchId);
    }
  },
});
