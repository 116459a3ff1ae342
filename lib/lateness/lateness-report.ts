import type { HistogramBar } from "./histogram.js";
import type { Quantiles } from "./quantiles.js";

/** What a delay threshold would have cost and lost over the rows that were measured. Times in milliseconds. */
export interface DelayCandidate {
  readonly delay: number;
  /** Rows that the query would have put into the late output, and their share of the rows that its stateful operator gets. */
  readonly lateRows: number;
  readonly lateShare: number;
  /** Groups (a window with its keys) that would have missed at least one row; null where late rows are not told by windows. */
  readonly lateGroups: number | null;
  /** The most state rows at the end of a micro-batch; null where late rows are not told by windows. */
  readonly peakStateRows: number | null;
  /** In append mode, from a window's start to its row, in event time: the window and the delay. Null without windows. */
  readonly latency: number | null;
}

/**
 * How late rows come, and what follows for the delay threshold. The two kinds of lateness differ: the watermark goes by the highest
 * event time so far, so rows that come early make all others later than their own delay says. Choose by `quantiles`.
 */
export interface LatenessReport {
  /** Rows with an event time. */
  readonly rows: number;
  readonly batches: number;
  /** As the watermark sees it: the highest event time so far, less the row's own. Null of no row. */
  readonly quantiles: Quantiles | null;
  /** Arrival less event time; null where no arrival was given. */
  readonly arrivalQuantiles: Quantiles | null;
  /** Of lateness as the watermark sees it. */
  readonly histogram: readonly HistogramBar[];
  /** Ascending by delay. */
  readonly candidates: readonly DelayCandidate[];
  /** The share of rows that `recommended` keeps. */
  readonly keep: number;
  /** The smallest delay, in whole seconds or from a minute on whole minutes, that keeps that share; null of no row. */
  readonly recommended: number | null;
}
