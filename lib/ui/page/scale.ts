/** A linear scale from values to pixels. */
export interface Scale {
  readonly low: number;
  readonly high: number;
  to(value: number): number;
  /** Never outside the plot. */
  clamped(value: number): number;
}

/** @param margin share of the range that is left free at either end */
export function scaleOf(values: readonly number[], from: number, until: number, margin: number): Scale {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const range = Math.max(1, high - low);
  low -= range * margin;
  high += range * margin;
  const to = (value: number) => from + ((value - low) / (high - low)) * (until - from);
  const [least, most] = [Math.min(from, until), Math.max(from, until)];
  return { low, high, to, clamped: (value) => Math.min(most, Math.max(least, to(value))) };
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400].map(
  (seconds) => seconds * 1_000,
);

/** Round instants within the scale, about so many. */
export function ticks({ low, high }: Scale, many: number): readonly number[] {
  const wanted = (high - low) / many;
  const step = STEPS.find((each) => each >= wanted) ?? Math.ceil(wanted / 86_400_000) * 86_400_000;
  const found: number[] = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) found.push(at);
  return found;
}

/** The canvas made sharp for the screen's pixels and wiped; the plot's edges in CSS pixels. */
export function plotArea(canvas: HTMLCanvasElement, pen: CanvasRenderingContext2D) {
  const { clientWidth: width, clientHeight: height } = canvas;
  const ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { left: 54, right: width - 10, top: 8, bottom: height - 24 };
}
