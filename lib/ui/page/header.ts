import { byId, element, tabs } from "./dom.js";
import { clock, number, span } from "./format.js";
import { type QueryView, type Store, watermarkOf } from "./store.js";

export function showHeader(store: Store, view: QueryView | undefined, choose: (name: string) => void): void {
  const items = [...store.queries.values()].map(({ name, status, card }) => ({
    name,
    label: card?.name ?? name,
    ...(status === null ? {} : { badge: status.state }),
  }));
  tabs(byId("queries"), items, view?.name ?? "", choose);
  if (view === undefined) return;
  document.title = `${view.name} · Tidemark`;
  const sum = (read: (at: QueryView["progress"][number]) => number) =>
    view.progress.reduce((total, progress) => total + read(progress), 0);
  const watermark = watermarkOf(view);
  const last = view.progress.at(-1);
  const totals: readonly (readonly [term: string, text: string, kind?: string])[] = [
    ["watermark", watermark === null ? "none yet" : clock(Date.parse(watermark), Date.now(), true), "watermark"],
    ["behind the clock", watermark === null ? "–" : span(Math.max(0, Date.now() - Date.parse(watermark)))],
    ["rows", number(sum((each) => each.numInputRows))],
    ["rows/s", number(recentRate(view))],
    ["results", number(sum((each) => each.sink.numOutputRows))],
    ["late", number(sum((each) => each.numLateInputRows)), sum((each) => each.numLateInputRows) > 0 ? "late" : ""],
    ["malformed", number(sum((each) => each.malformedRows + each.withoutTimeRows))],
    ["batch", last === undefined ? "–" : `#${number(last.batchId)}`],
  ];
  byId("headline").replaceChildren(
    ...totals.map(([term, text, kind = ""]) =>
      element("div", { class: kind }, element("dt", {}, term), element("dd", {}, text)),
    ),
  );
}

/** Rows of the last batches over the time between them. */
function recentRate({ progress }: QueryView): number {
  const recent = progress.slice(-12);
  const [first, last] = [recent[0], recent.at(-1)];
  if (first === undefined || last === undefined || first === last) return 0;
  const seconds = (Date.parse(last.timestamp) - Date.parse(first.timestamp)) / 1_000;
  return recent.slice(1).reduce((sum, { numInputRows }) => sum + numInputRows, 0) / Math.max(0.001, seconds);
}
