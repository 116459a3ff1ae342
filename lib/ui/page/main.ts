import "uplot/dist/uPlot.min.css";
import type { PageMessage } from "../messages.js";
import { showCharts } from "./charts.js";
import { byId } from "./dom.js";
import { showFindings } from "./findings.js";
import { showHeader } from "./header.js";
import { showOutputs } from "./outputs.js";
import { showPlan } from "./plan.js";
import { scatterPlot } from "./scatter.js";
import { showSendForm } from "./send-form.js";
import { createStore, type QueryView } from "./store.js";
import { showWindows } from "./windows.js";

const store = createStore();
const scatter = scatterPlot();
let chosen: string | null = null;
let dirty = true;

/** The one that was chosen, else the one that runs or ran last. */
function current(): QueryView | undefined {
  const views = [...store.queries.values()];
  const begun = views.findLast(({ status }) => status?.state !== "starting") ?? views[0];
  return store.queries.get(chosen ?? "") ?? views.findLast(({ status }) => status?.state === "running") ?? begun;
}

function show(): void {
  const view = current();
  showHeader(store, view, (name) => {
    chosen = name;
    dirty = true;
  });
  if (view === undefined) return;
  showFindings(view);
  scatter.show(view);
  showWindows(view);
  showCharts(view);
  showOutputs(view);
  showPlan(view);
  showSendForm(view);
}

/** At most once a frame, and not at all while nobody looks. */
function frame(): void {
  if (dirty) {
    dirty = false;
    show();
  }
  requestAnimationFrame(frame);
}

function connect(): void {
  const events = new EventSource("/events");
  const connection = byId("connection");
  let fresh = true;
  events.onopen = () => {
    fresh = true;
    connection.textContent = "live";
    connection.dataset["state"] = "live";
  };
  events.onmessage = ({ data }) => {
    // A connection begins with all that is known.
    if (fresh) store.clear();
    fresh = false;
    store.apply(JSON.parse(data) as PageMessage[]);
    dirty = true;
  };
  events.onerror = () => {
    connection.textContent = "disconnected, trying again";
    connection.dataset["state"] = "lost";
    if (events.readyState === EventSource.CLOSED) setTimeout(connect, 2_000);
  };
}

window.addEventListener("resize", () => {
  dirty = true;
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  dirty = true;
});
byId("search").addEventListener("input", () => {
  dirty = true;
});
byId("outputs").addEventListener("click", () => {
  dirty = true;
});
byId("outputs").addEventListener("keydown", () => {
  dirty = true;
});
// Windows that have closed fade, and lags grow, without news.
setInterval(() => {
  dirty = true;
}, 1_000);
connect();
requestAnimationFrame(frame);
