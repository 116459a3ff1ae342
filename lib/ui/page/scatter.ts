import type { RecordDot } from "../messages.js";
import { byId, element } from "./dom.js";
import { clock, span, windowText } from "./format.js";
import { plotArea, type Scale, scaleOf, ticks } from "./scale.js";
import { type LateRow, placeKey, type QueryView } from "./store.js";

const NEAR_PX = 14;

interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly arrival: number;
  readonly eventTime: number;
  readonly dot: RecordDot | null;
  readonly late: LateRow | null;
}

interface ScatterPlot {
  show(view: QueryView): void;
}

/** Each record a dot, its arrival to the right and its event time upwards, the watermark a line under which rows are late. */
export function scatterPlot(): ScatterPlot {
  const canvas = byId<HTMLCanvasElement>("scatter");
  let drawn: readonly Drawn[] = [];
  let spoken = -1;

  canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => showTip(nearest(drawn, offsetX, offsetY)));
  canvas.addEventListener("pointerleave", () => showTip(null));
  // Late rows one by one for those who do not see the dots.
  canvas.addEventListener("keydown", ({ key }) => {
    const late = drawn.filter((each) => each.late !== null);
    if (late.length === 0 || !["ArrowLeft", "ArrowRight"].includes(key)) return;
    spoken = (spoken + (key === "ArrowRight" ? 1 : -1) + late.length) % late.length;
    const chosen = late[spoken]!;
    byId("spoken").textContent = tipLines(chosen).join(". ");
    showTip(chosen);
  });

  return {
    show(view) {
      drawn = draw(canvas, view);
      const late = drawn.filter((each) => each.late !== null).length;
      canvas.setAttribute(
        "aria-label",
        drawn.length === 0
          ? "No record yet"
          : `${drawn.length} records by arrival and event time, ${late} of them late. Arrow keys step through the late ones.`,
      );
    },
  };
}

function nearest(drawn: readonly Drawn[], x: number, y: number): Drawn | null {
  let best: Drawn | null = null;
  let distance = NEAR_PX ** 2;
  for (const each of drawn) {
    const away = (each.x - x) ** 2 + (each.y - y) ** 2 - (each.late === null ? 0 : 30);
    if (away < distance) [best, distance] = [each, away];
  }
  return best;
}

function showTip(near: Drawn | null): void {
  const tip = byId("tip");
  tip.hidden = near === null;
  if (near === null) return;
  tip.replaceChildren(...tipLines(near).map((line) => element("p", {}, line)));
  const width = (tip.parentElement as HTMLElement).clientWidth;
  tip.style.left = `${Math.min(near.x + 12, width - 260)}px`;
  tip.style.top = `${Math.max(4, near.y - 20)}px`;
}

function tipLines({ arrival, eventTime, dot, late }: Drawn): readonly string[] {
  return [
    `event time ${clock(eventTime, arrival, true)}, arrived ${clock(arrival, arrival, true)}`,
    ...(late === null || late.lateByMs === null ? [] : [`late: ${span(late.lateByMs)} behind the watermark`]),
    ...(late?.missed ?? []).slice(0, 3).map(([start, end]) => `missed the window ${windowText(start, end)}`),
    ...(dot?.ignored ? ["too far in the future: ignored for the watermark"] : []),
    ...(dot === null ? [] : [`${dot.source}/${dot.shard}, record ${dot.sequence.slice(-12)}`]),
  ];
}

interface Colours {
  readonly dot: string;
  readonly late: string;
  readonly watermark: string;
  readonly band: string;
  readonly line: string;
  readonly text: string;
}

function coloursOf(): Colours {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string) => style.getPropertyValue(name).trim();
  return {
    dot: of("--dot"),
    late: of("--late"),
    watermark: of("--watermark"),
    band: of("--band"),
    line: of("--line"),
    text: of("--muted"),
  };
}

function draw(canvas: HTMLCanvasElement, view: QueryView): readonly Drawn[] {
  const pen = canvas.getContext("2d")!;
  const area = plotArea(canvas, pen);
  const colours = coloursOf();
  const marks = view.progress
    .filter(({ eventTime }) => eventTime.watermark !== null)
    .map((progress) => ({ at: readTo(progress), watermark: Date.parse(progress.eventTime.watermark!) }));
  const late = [...view.late.values()];
  const spans = view.dots.length > 0 ? [] : batchSpans(view);
  const xs = [...view.dots.map(({ arrival }) => arrival), ...marks.map(({ at }) => at), ...spans.map(({ at }) => at)];
  const ys = [
    ...view.dots.map(({ eventTime, ignored }) => (ignored ? Number.NaN : eventTime)),
    ...late.map(({ eventTime }) => eventTime ?? Number.NaN),
    ...spans.flatMap(({ min, max }) => [min, max]),
  ].filter(Number.isFinite);
  if (xs.length === 0 || ys.length === 0) {
    pen.fillStyle = colours.text;
    pen.font = "13px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.fillText("Waiting for the first record", (area.left + area.right) / 2, (area.top + area.bottom) / 2);
    return [];
  }
  const x = scaleOf(xs, area.left, area.right, 0.01);
  const y = scaleOf(ys, area.bottom, area.top, 0.04);

  axes(pen, area, x, y, colours);
  band(pen, marks, x, y, view.card?.delayMs ?? 0, area.right, colours);
  for (const { at, min, max } of spans) {
    pen.fillStyle = colours.dot;
    pen.globalAlpha = 0.5;
    pen.fillRect(x.to(at) - 2, y.to(max), 4, Math.max(2, y.to(min) - y.to(max)));
    pen.globalAlpha = 1;
  }
  return dots(pen, view, x, y, colours);
}

/** The newest arrival that the batch had read: there its watermark begins. A source without arrivals has the batch's own time. */
function readTo({ timestamp, watermarks = [] }: QueryView["progress"][number]): number {
  const reads = watermarks.flatMap(({ shards }) => Object.values(shards).map(({ readThrough }) => readThrough));
  const known = reads.filter((read) => read !== null).map((read) => Date.parse(read));
  return known.length === 0 ? Date.parse(timestamp) : Math.max(...known);
}

interface BatchSpan {
  readonly at: number;
  readonly min: number;
  readonly max: number;
}

/** Where single records are not seen, each batch from its lowest to its highest event time. */
const batchSpans = ({ progress }: QueryView): readonly BatchSpan[] =>
  progress.flatMap((each) => {
    const { min, max } = each.eventTime;
    return min === undefined || max === undefined
      ? []
      : [{ at: readTo(each), min: Date.parse(min), max: Date.parse(max) }];
  });

function axes(
  pen: CanvasRenderingContext2D,
  area: ReturnType<typeof plotArea>,
  x: Scale,
  y: Scale,
  colours: Colours,
): void {
  pen.strokeStyle = colours.line;
  pen.fillStyle = colours.text;
  pen.lineWidth = 1;
  pen.font = "11px system-ui, sans-serif";
  pen.textBaseline = "middle";
  pen.textAlign = "right";
  for (const tick of ticks(y, 5)) {
    pen.beginPath();
    pen.moveTo(area.left, Math.round(y.to(tick)) + 0.5);
    pen.lineTo(area.right, Math.round(y.to(tick)) + 0.5);
    pen.stroke();
    pen.fillText(clock(tick, y.high), area.left - 8, y.to(tick));
  }
  pen.textAlign = "center";
  // A label that would be cut is left out.
  for (const tick of ticks(x, 6))
    if (x.to(tick) < area.right - 24) pen.fillText(clock(tick, x.high, true), x.to(tick), area.bottom + 13);
}

/** The watermark as steps, and above it what the delay leaves to rows that come late. */
function band(
  pen: CanvasRenderingContext2D,
  marks: readonly { readonly at: number; readonly watermark: number }[],
  x: Scale,
  y: Scale,
  delayMs: number,
  right: number,
  colours: Colours,
): void {
  if (marks.length === 0) return;
  const path = (lift: number, back: boolean) => {
    const points: (readonly [number, number])[] = [];
    for (const [index, { at, watermark }] of marks.entries()) {
      const until = marks[index + 1]?.at;
      points.push([x.to(at), y.clamped(watermark + lift)]);
      points.push([until === undefined ? right : x.to(until), y.clamped(watermark + lift)]);
    }
    if (back) points.reverse();
    return points;
  };
  pen.fillStyle = colours.band;
  pen.beginPath();
  for (const point of [...path(0, false), ...path(delayMs, true)]) pen.lineTo(...point);
  pen.fill();
  pen.strokeStyle = colours.watermark;
  pen.lineWidth = 2;
  pen.lineJoin = "round";
  pen.beginPath();
  for (const point of path(0, false)) pen.lineTo(...point);
  pen.stroke();
}

function dots(pen: CanvasRenderingContext2D, view: QueryView, x: Scale, y: Scale, colours: Colours): readonly Drawn[] {
  const shown = new Set<string>();
  const all = view.dots.map((dot): Drawn => {
    const key = placeKey(dot.shard, dot.sequence);
    shown.add(key);
    return { ...placed(dot.arrival, dot.eventTime), dot, late: view.late.get(key) ?? null };
  });
  // A late row whose dot was not sampled stands where its batch stands.
  const unseen = [...view.late].flatMap(([key, late]): readonly Drawn[] => {
    if (shown.has(key) || late.eventTime === null) return [];
    const batch = view.progress.find(({ batchId }) => batchId === late.batchId);
    if (batch === undefined) return [];
    const at = readTo(batch);
    return [{ ...placed(at, late.eventTime), dot: null, late }];
  });
  function placed(arrival: number, eventTime: number) {
    return { x: x.to(arrival), y: y.clamped(eventTime), arrival, eventTime };
  }
  const circle = ({ x: left, y: top }: Drawn, radius: number) => {
    pen.beginPath();
    pen.arc(left, top, radius, 0, 2 * Math.PI);
  };
  pen.fillStyle = colours.dot;
  pen.globalAlpha = all.length > 1_500 ? 0.45 : 0.7;
  for (const each of all) {
    if (each.late !== null) continue;
    circle(each, 1.8);
    if (each.dot?.ignored) {
      pen.strokeStyle = colours.dot;
      pen.lineWidth = 1.2;
      pen.stroke();
    } else pen.fill();
  }
  pen.globalAlpha = 1;
  pen.fillStyle = colours.late;
  const late = [...all.filter((each) => each.late !== null), ...unseen];
  for (const each of late) {
    circle(each, 3.6);
    pen.fill();
  }
  return [...all, ...unseen];
}
