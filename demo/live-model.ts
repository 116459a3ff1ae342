import type { QueryProgress } from "../lib/runtime/progress.js";
import type { PageMessage } from "../lib/ui/messages.js";
import type { LiveModel } from "./live-block.js";

const LATE_KEPT = 3;

const EMPTY: LiveModel = {
  name: "",
  done: 0,
  total: 0,
  watermark: null,
  results: 0,
  late: 0,
  malformed: 0,
  windows: [],
  lateRows: [],
};

/** The model of a job before its first message. */
export const newModel = (name: string, total: number): LiveModel => ({ ...EMPTY, name, total });

/** The terminal hears what the page hears. */
export function nextModel(model: LiveModel, message: PageMessage): LiveModel {
  switch (message.type) {
    case "progress":
      return message.progress.reduce(withProgress, model);
    case "windows":
      return { ...model, windows: message.windows };
    case "rows":
      if (message.output !== "late") return model;
      return { ...model, lateRows: [...model.lateRows, ...message.rows.map(lateText)].slice(-LATE_KEPT) };
    default:
      return model;
  }
}

const withProgress = (before: LiveModel, progress: QueryProgress): LiveModel => ({
  ...before,
  done: before.done + progress.decodedRecords + progress.malformedRows,
  watermark: progress.eventTime.watermark ?? before.watermark,
  results: before.results + progress.sink.numOutputRows,
  late: before.late + progress.numLateInputRows,
  malformed: before.malformed + progress.malformedRows + progress.withoutTimeRows,
});

function lateText({ late, text }: Extract<PageMessage, { type: "rows" }>["rows"][number]): string {
  if (late === undefined || late.eventTime === null || late.lateByMs === null) return text;
  const missed = late.missed[0];
  const window = missed === undefined ? "" : ` and missed ${time(missed[0])}–${time(missed[1])}`;
  const at = iso(late.eventTime).slice(5, 19).replace("T", " ");
  return `${at} was ${Math.round(late.lateByMs / 60_000)} min behind the watermark${window}`;
}

const time = (ms: number): string => iso(ms).slice(11, 16);

const iso = (ms: number): string => new Date(ms).toISOString();
