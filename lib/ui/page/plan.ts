import type { PlanStep } from "../messages.js";
import { byId, element } from "./dom.js";
import { bytes, clock, compact } from "./format.js";
import { type QueryView, watermarkOf } from "./store.js";

/** The plan from its sources down: steps of one depth side by side, each with what it did and keeps. */
export function showPlan(view: QueryView): void {
  const { card } = view;
  if (card === null) return;
  const columns = new Map<number, PlanStep[]>();
  for (const step of card.plan) columns.set(step.column, [...(columns.get(step.column) ?? []), step]);
  byId("plan").replaceChildren(
    ...[...columns]
      .sort(([a], [b]) => a - b)
      .map(([, steps]) => element("div", { class: "depth" }, ...steps.map((step) => stepCard(view, step)))),
  );
}

function stepCard(view: QueryView, step: PlanStep): HTMLElement {
  const { heldBackBy = null } = view.progress.at(-1) ?? {};
  const holds = step.source !== null && heldBackBy?.startsWith(`${step.source}/`) === true;
  const [verb = "", ...rest] = step.text.split(" ");
  return element(
    "div",
    { class: `step ${step.kind}${holds ? " holds" : ""}`, title: step.text },
    element("p", { class: "text" }, element("b", {}, verb), ` ${rest.join(" ")}`),
    ...(step.source === null ? [] : [shards(view, step.source, heldBackBy)]),
    ...(step.operatorId === null ? [] : [operatorStats(view, step.operatorId)]),
  );
}

function operatorStats(view: QueryView, operatorId: string): HTMLElement {
  let [rowsIn, late, removed] = [0, 0, 0];
  for (const { stateOperators } of view.progress) {
    const operator = stateOperators.find((each) => each.operatorId === operatorId);
    rowsIn += operator?.rowsIn ?? 0;
    late += operator?.numLateInputRows ?? 0;
    removed += operator?.numRowsRemoved ?? 0;
  }
  const last = view.progress.at(-1)?.stateOperators.find((each) => each.operatorId === operatorId);
  const watermark = watermarkOf(view);
  const stats: readonly (readonly [string, string, string?])[] = [
    ["in", compact(rowsIn)],
    ["late", compact(late), late > 0 ? "late" : ""],
    ["state", `${compact(last?.numRowsTotal ?? 0)} · ${bytes(last?.memoryUsedBytes ?? 0)}`],
    ["removed", compact(removed)],
    ["watermark", watermark === null ? "none" : clock(Date.parse(watermark), Date.now())],
  ];
  return element(
    "dl",
    {},
    ...stats.map(([term, text, kind = ""]) =>
      element("div", { class: kind }, element("dt", {}, term), element("dd", {}, text)),
    ),
  );
}

/** What is read of each shard, and which one the watermark waits for. */
function shards(view: QueryView, source: string, heldBackBy: string | null): HTMLElement {
  const input = view.progress.at(-1)?.watermarks?.find((each) => each.source === source);
  const known = Object.entries(input?.shards ?? {});
  const list = known.slice(0, 6).map(([shard, { readThrough, watermark }]) => {
    const holds = heldBackBy === `${source}/${shard}`;
    const read = readThrough === null ? "not read yet" : `read to ${clock(Date.parse(readThrough), Date.now(), true)}`;
    const own = watermark === null ? "" : `, watermark ${clock(Date.parse(watermark), Date.now(), true)}`;
    return element(
      "li",
      { class: holds ? "holds" : "" },
      `${shard}: ${read}${own}${holds ? ", holds the watermark back" : ""}`,
    );
  });
  const more = known.length > 6 ? [element("li", {}, `and ${known.length - 6} more shards`)] : [];
  const silent =
    known.length === 0
      ? [element("li", {}, heldBackBy === `${source}/*` ? "never heard, holds the watermark back" : "no record yet")]
      : [];
  return element("ul", { class: "shards" }, ...silent, ...list, ...more);
}
