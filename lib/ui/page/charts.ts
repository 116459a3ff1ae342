import uPlot from "uplot";
import { byId, element } from "./dom.js";
import { bytes, compact, span } from "./format.js";
import type { QueryView } from "./store.js";

type Progress = QueryView["progress"][number];

interface Series {
  readonly name: string;
  readonly colour: string;
  /** On a scale of its own, at no axis. */
  readonly own?: true;
  read(progress: Progress): number;
}

interface Chart {
  readonly title: string;
  readonly series: readonly Series[];
  /** Each on top of those before it. */
  readonly stacked?: true;
  readonly text: (value: number) => string;
  /** The last value of a series where `text` does not fit it. */
  readonly ownText?: (value: number) => string;
}

const STEPS = ["decode", "load", "run", "stage", "commit", "publish"] as const;
const STEP_COLOURS = ["--c1", "--c2", "--c3", "--c4", "--c5", "--c6"];

const CHARTS: readonly Chart[] = [
  {
    title: "Rows per second",
    text: compact,
    series: [
      { name: "input", colour: "--c1", read: ({ inputRowsPerSecond }) => inputRowsPerSecond },
      { name: "processing", colour: "--c3", read: ({ processedRowsPerSecond }) => processedRowsPerSecond },
    ],
  },
  {
    title: "Batch duration by step",
    text: span,
    stacked: true,
    series: STEPS.map((step, index) => ({
      name: step,
      colour: STEP_COLOURS[index]!,
      read: ({ durationMs }) => durationMs[step] ?? 0,
    })),
  },
  {
    title: "State",
    text: compact,
    ownText: bytes,
    series: [
      {
        name: "rows",
        colour: "--c3",
        read: ({ stateOperators }) => stateOperators.reduce((sum, { numRowsTotal }) => sum + numRowsTotal, 0),
      },
      { name: "bytes", colour: "--c4", own: true, read: ({ stateBytes }) => stateBytes },
    ],
  },
  {
    title: "Watermark behind the clock",
    text: span,
    series: [
      {
        name: "lag",
        colour: "--watermark",
        read: ({ timestamp, eventTime: { watermark } }) =>
          watermark === null ? Number.NaN : Date.parse(timestamp) - Date.parse(watermark),
      },
    ],
  },
  {
    title: "Late rows and conflicts",
    text: compact,
    series: [
      { name: "late", colour: "--late", read: ({ numLateInputRows }) => numLateInputRows },
      { name: "conflicts", colour: "--c4", read: ({ conflicts }) => conflicts },
    ],
  },
];

interface Shown {
  readonly plot: uPlot;
  readonly box: HTMLElement;
  readonly values: readonly HTMLElement[];
}

let charts: readonly Shown[] = [];
let theme = "";
let last = "";

export function showCharts(view: QueryView): void {
  const scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  if (theme !== scheme) {
    theme = scheme;
    for (const { plot } of charts) plot.destroy();
    byId("charts").replaceChildren();
    charts = CHARTS.map(createChart);
    last = "";
  }
  const { progress } = view;
  const signature = JSON.stringify([view.name, progress.length, progress.at(-1)?.batchId, byId("charts").clientWidth]);
  if (signature === last) return;
  last = signature;
  const xs = progress.map(({ timestamp }) => Date.parse(timestamp) / 1_000);
  for (const [index, { plot, box, values }] of charts.entries()) {
    const chart = CHARTS[index]!;
    plot.setSize({ width: box.clientWidth, height: box.clientHeight });
    plot.setData([xs, ...columns(chart, progress)]);
    const newest = progress.at(-1);
    for (const [at, series] of chart.series.entries())
      values[at]!.textContent = newest === undefined ? "–" : lastText(chart, series, newest);
  }
}

const lastText = ({ text, ownText = text }: Chart, { own, read }: Series, progress: Progress): string => {
  const value = read(progress);
  return Number.isNaN(value) ? "none" : own ? ownText(value) : text(value);
};

/** Stacked ones are drawn from the highest sum down, so that each covers what is above its own. */
function columns({ series, stacked }: Chart, progress: readonly Progress[]): (number | null)[][] {
  const read = series.map((each) => progress.map(each.read).map((value) => (Number.isFinite(value) ? value : null)));
  if (stacked !== true) return read;
  const sums = read.map((_, at) => progress.map((_, x) => sumTo(read, at, x)));
  return sums.reverse();
}

const sumTo = (read: readonly (readonly (number | null)[])[], at: number, x: number): number =>
  read.slice(0, at + 1).reduce((sum, column) => sum + (column[x] ?? 0), 0);

function createChart({ title, series, stacked, text }: Chart): Shown {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const values = series.map(() => element("b", {}));
  const box = element("div", { class: "box", role: "img", "aria-label": title });
  const key = series.map((each, at) => {
    const entry = element("li", {}, stacked === true ? each.name : `${each.name} `);
    if (stacked !== true) entry.append(values[at]!);
    entry.style.setProperty("--key", colour(each.colour));
    return entry;
  });
  byId("charts").append(element("figure", {}, element("figcaption", {}, title, element("ul", {}, ...key)), box));
  const drawn = stacked === true ? [...series].reverse() : series;
  const axis = { stroke: colour("--muted"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  const plot = new uPlot(
    {
      width: Math.max(80, box.clientWidth),
      height: Math.max(50, box.clientHeight),
      cursor: { show: false },
      legend: { show: false },
      scales: {
        x: { time: true },
        y: { range: (_, __, high) => [0, Math.max(1, high * 1.1)] },
        own: { range: (_, __, high) => [0, Math.max(1, high * 1.1)] },
      },
      axes: [
        { show: false },
        {
          ...axis,
          size: 46,
          font: "10px system-ui",
          values: (_, splits) => splits.map((value) => text(value)),
          space: 26,
        },
      ],
      padding: [6, 4, 6, 0],
      series: [
        {},
        ...drawn.map((each) => ({
          label: each.name,
          stroke: colour(each.colour),
          width: 1.5,
          ...(each.own ? { scale: "own" } : {}),
          ...(stacked === true ? { fill: colour(each.colour), width: 0 } : {}),
          points: { show: false },
        })),
      ],
    },
    [[], ...series.map(() => [])],
    box,
  );
  return { plot, box, values };
}
