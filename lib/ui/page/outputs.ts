import type { OutputKind, OutputLine } from "../messages.js";
import { byId, element, tabs } from "./dom.js";
import { compact, span } from "./format.js";
import type { QueryView } from "./store.js";

const SHOWN = 120;
const LABELS: Readonly<Record<OutputKind, string>> = { result: "Results", late: "Late rows", malformed: "Malformed" };

let chosen: OutputKind = "result";
let shown = "";
const opened = new Set<string>();

export function showOutputs(view: QueryView): void {
  const total = (read: (progress: QueryView["progress"][number]) => number) =>
    compact(view.progress.reduce((sum, progress) => sum + read(progress), 0));
  const items = [
    { name: "result", label: LABELS.result, badge: total(({ sink }) => sink.numOutputRows) },
    { name: "late", label: LABELS.late, badge: total(({ numLateInputRows }) => numLateInputRows) },
    {
      name: "malformed",
      label: LABELS.malformed,
      badge: total(({ malformedRows, withoutTimeRows }) => malformedRows + withoutTimeRows),
    },
  ];
  tabs(byId("outputs"), items, chosen, (name) => {
    chosen = name as OutputKind;
    showOutputs(view);
  });
  const place = view.card?.places[chosen] ?? null;
  byId("place").textContent = place ?? "These rows go where this page does not look.";
  const search = byId<HTMLInputElement>("search").value.toLowerCase();
  const rows = view.rows[chosen];
  const newest = rows.at(-1);
  const signature = JSON.stringify([view.name, chosen, search, rows.length, newest?.text, newest?.object]);
  if (signature === shown) return;
  shown = signature;
  const found = rows.filter(({ text }) => search === "" || text.toLowerCase().includes(search));
  byId("rows").replaceChildren(
    ...found
      .slice(-SHOWN)
      .reverse()
      .map((line) => row(line, chosen)),
  );
  if (found.length === 0)
    byId("rows").append(element("li", { class: "none" }, search === "" ? "None yet." : "No row holds that text."));
}

/** A line that opens on a click or the Enter key: its JSON, and the object that holds it. */
function row(line: OutputLine, kind: OutputKind): HTMLElement {
  const details = element(
    "details",
    { class: kind },
    element("summary", {}, ...summary(line)),
    element("pre", {}, pretty(line)),
    element("p", { class: "note" }, line.object),
  ) as HTMLDetailsElement;
  const key = `${line.object}|${line.text}`;
  details.open = opened.has(key);
  details.addEventListener("toggle", () => (details.open ? opened.add(key) : opened.delete(key)));
  return element("li", {}, details);
}

function summary(line: OutputLine): readonly Node[] {
  const { late } = line;
  const values = parsed(line);
  if (values === null) return [element("span", {}, line.text.slice(0, 200))];
  const chips: Node[] = [];
  if (late !== undefined && late.lateByMs !== null)
    chips.push(element("span", { class: "behind" }, `${span(late.lateByMs)} behind`));
  const fields = late === undefined ? values : ((values["row"] as Record<string, unknown> | undefined) ?? values);
  for (const [name, value] of Object.entries(fields).slice(0, 8))
    chips.push(element("span", { class: "cell" }, element("i", {}, name), ` ${cell(value)}`));
  return chips;
}

const cell = (value: unknown): string => {
  const { start, end } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof start === "string" && typeof end === "string")
    return `${start.slice(5, 16).replace("T", " ")}–${end.slice(11, 16)}`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

const parsed = ({ text, length }: OutputLine): Record<string, unknown> | null => {
  if (length > text.length) return null;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
};

const pretty = (line: OutputLine): string => {
  const values = parsed(line);
  if (values !== null) return JSON.stringify(values, null, 2);
  return line.length > line.text.length ? `${line.text}…\n(${line.length.toLocaleString("en")} characters)` : line.text;
};
