import { byId, element } from "./dom.js";
import { compact, span, windowText } from "./format.js";
import { type QueryView, watermarkOf } from "./store.js";

const SHOWN = 14;
const FADES_MS = 2_500;

/** Open windows, oldest first: each a bar that grows with its rows; one that has closed says so for a moment. */
export function showWindows(view: QueryView): void {
  const now = performance.now();
  for (const [start, { at }] of view.closed) if (now - at > FADES_MS) view.closed.delete(start);
  const watermark = watermarkOf(view);
  const open = [...view.windows].sort((a, b) => a.start - b.start);
  const closing = [...view.closed.values()].sort((a, b) => a.window.start - b.window.start).slice(-4);
  const size = (window: QueryView["windows"][number]) => window.rows ?? window.groups;
  const most = Math.max(1, ...open.map(size), ...closing.map(({ window }) => size(window)));
  const groups = open.reduce((sum, window) => sum + window.groups, 0);
  byId("windows-note").textContent =
    open.length === 0
      ? view.progress.length === 0
        ? "Waiting for the first batch"
        : "No window is open"
      : `${open.length} open, ${compact(groups)} groups in state`;
  const bar = (window: QueryView["windows"][number], closed: boolean) => {
    const left = watermark === null ? null : window.end - Date.parse(watermark);
    const note = closed ? "closed" : left === null ? "" : left <= 0 ? "closing" : `in ${span(left)}`;
    const row = element(
      "li",
      { class: closed ? "closed" : "" },
      element("span", { class: "when" }, windowText(window.start, window.end)),
      element("span", { class: "track" }, element("span", { class: "fill" })),
      element("span", { class: "many" }, compact(size(window))),
      element("span", { class: "left" }, note),
    );
    row.querySelector<HTMLElement>(".fill")!.style.width = `${(100 * size(window)) / most}%`;
    return row;
  };
  const more = open.length - SHOWN;
  byId("windows").replaceChildren(
    ...closing.map(({ window }) => bar(window, true)),
    ...open.slice(0, SHOWN).map((window) => bar(window, false)),
    ...(more > 0 ? [element("li", { class: "more" }, `and ${more} more`)] : []),
  );
}
