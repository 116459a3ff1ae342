import type { Finding, Symptoms } from "./finding.js";
import { at, instantMs, MINUTE, percent, span, total } from "./history.js";
import { REMEDIES } from "./remedies.js";

const AHEAD_MS = 10 * MINUTE;
const RECENT = 10;

/** The watermark itself has run ahead of the clock, so that honest rows are late; or rows are refused for the watermark all the time. */
export function clockAhead({ progress }: Symptoms): readonly Finding[] {
  const last = progress.at(-1)!;
  const watermark = instantMs(last.eventTime.watermark);
  const ahead = watermark === null ? 0 : watermark - at(last);
  if (ahead > AHEAD_MS)
    return [
      {
        signature: "clock-ahead",
        severity: "error",
        subject: null,
        evidence: `The watermark ${last.eventTime.watermark} is ${span(ahead)} ahead of the clock, so rows of the present are late.`,
        remedy: REMEDIES["clock-ahead"],
      },
    ];
  const recent = progress.slice(-RECENT);
  const ignored = total(recent, (each) => each.rowsIgnoredForWatermark);
  const rows = total(recent, (each) => each.numInputRows);
  if (ignored < RECENT || ignored < rows / 100) return [];
  return [
    {
      signature: "clock-ahead",
      severity: "warning",
      subject: null,
      evidence: `${ignored} of the last ${rows} rows (${percent(ignored / rows)}) are stamped too far in the future to move the watermark.`,
      remedy: REMEDIES["clock-ahead"],
    },
  ];
}
