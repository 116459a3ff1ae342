const MINUTE = 60_000;

export const number = (value: number): string => Math.round(value).toLocaleString("en");

export function compact(value: number): string {
  if (value < 10_000) return number(value);
  return value < 1_000_000 ? `${(value / 1_000).toFixed(1)} k` : `${(value / 1_000_000).toFixed(1)} M`;
}

export function bytes(value: number): string {
  if (value < 1_024) return `${value} B`;
  return value < 1_048_576 ? `${(value / 1_024).toFixed(1)} KB` : `${(value / 1_048_576).toFixed(1)} MB`;
}

export function span(ms: number): string {
  const size = Math.abs(ms);
  if (size < 1_000) return `${Math.round(ms)} ms`;
  if (size < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (size < 2 * MINUTE) return `${Math.round(ms / 1_000)} s`;
  if (size < 120 * MINUTE) return `${Math.round(ms / MINUTE)} min`;
  const hours = ms / (60 * MINUTE);
  return Math.abs(hours) < 48 ? `${hours.toFixed(1)} h` : `${(hours / 24).toFixed(0)} days`;
}

/** UTC: `12:05`, with its date where that is another than that of `near`. */
export function clock(ms: number, near = ms, seconds = false): string {
  const text = new Date(ms).toISOString();
  const time = text.slice(11, seconds ? 19 : 16);
  return text.slice(0, 10) === new Date(near).toISOString().slice(0, 10) ? time : `${text.slice(5, 10)} ${time}`;
}

export const windowText = (start: number, end: number): string => `${clock(start)}–${clock(end, start)}`;
