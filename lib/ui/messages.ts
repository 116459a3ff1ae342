import type { Finding } from "../diagnosis/finding.js";
import type { QueryProgress } from "../runtime/progress.js";

/** One record of a delivery as a dot: what arrived when, and whether it may move the watermark. */
export interface RecordDot {
  readonly source: string;
  readonly shard: string;
  readonly sequence: string;
  /** Epoch ms. */
  readonly arrival: number;
  readonly eventTime: number;
  /** Stamped too far in the future: counted, and ignored for the watermark. */
  readonly ignored: boolean;
}

export type OutputKind = "result" | "late" | "malformed";

/** One row of an output: its JSON as text, cut where it is long, and the object that holds it. */
export interface OutputLine {
  readonly text: string;
  /** Of the whole text; larger than `text` where it is cut. */
  readonly length: number;
  readonly object: string;
  readonly batchId: number | null;
  /** Of a late row. */
  readonly late?: LateMark;
}

/** How a late row is found among the dots, and what a hover says of it. */
export interface LateMark {
  readonly shard: string | null;
  readonly sequence: string | null;
  readonly eventTime: number | null;
  readonly lateByMs: number | null;
  /** Epoch ms of each window that it missed. */
  readonly missed: readonly (readonly [start: number, end: number])[];
}

/** A window that is not closed yet, over all of its keys. */
export interface OpenWindow {
  readonly start: number;
  readonly end: number;
  readonly groups: number;
  /** Of the query's count, if it has one. */
  readonly rows: number | null;
}

/** A node of the plan; `column` counts from the sources. */
export interface PlanStep {
  readonly id: number;
  readonly kind: string;
  readonly text: string;
  readonly inputs: readonly number[];
  readonly column: number;
  readonly operatorId: string | null;
  readonly source: string | null;
}

export interface QueryCard {
  readonly name: string;
  readonly title: string;
  readonly outputMode: string;
  readonly delayMs: number | null;
  readonly plan: readonly PlanStep[];
  readonly warnings: readonly { readonly message: string; readonly remedy: string }[];
  /** Source names that take records by `PUT /records/NAME`. */
  readonly takesRecords: readonly string[];
  /** Where each output stands. */
  readonly places: Readonly<Record<OutputKind, string | null>>;
}

/** What goes over the event stream. A page that joins late is first told all that is still known. */
export type PageMessage =
  | { readonly type: "query"; readonly query: string; readonly card: QueryCard }
  | { readonly type: "progress"; readonly query: string; readonly progress: readonly QueryProgress[] }
  | { readonly type: "idle"; readonly query: string; readonly watermark: string | null; readonly at: number }
  | { readonly type: "records"; readonly query: string; readonly dots: readonly RecordDot[] }
  | { readonly type: "rows"; readonly query: string; readonly output: OutputKind; readonly rows: readonly OutputLine[] }
  | { readonly type: "windows"; readonly query: string; readonly windows: readonly OpenWindow[] }
  | { readonly type: "findings"; readonly query: string; readonly findings: readonly Finding[] }
  | { readonly type: "status"; readonly query: string; readonly status: QueryStatus };

export interface QueryStatus {
  /** `failed`: with words on why. */
  readonly state: "starting" | "running" | "done" | "failed";
  readonly words: string;
}
