import { durationText } from "../../time/duration-text.js";
import { conditionOf } from "../checks/check-join.js";
import type { LogicalNode, OutputMode } from "../logical-plan.js";
import { inputsOf, isStateful, type NodeOf, type StatefulPlanNode } from "../walk.js";
import { type WatermarkedColumn, watermarkedColumn, watermarkedColumns } from "../watermarked-columns.js";
import { expressionText } from "./expression-text.js";

/** A label and what stands behind it. */
type Line = readonly [label: string, text: string];

/** What a stateful operator keeps, by what, for how long, and what waiting for the watermark costs. */
export function operatorLines(node: StatefulPlanNode, outputMode: OutputMode): readonly Line[] {
  switch (node.kind) {
    case "aggregate":
      return aggregateLines(node, outputMode);
    case "deduplicate":
      return deduplicateLines(node);
    case "join":
      return joinLines(node);
    case "limit":
      return [
        ["state", "one row: how many rows are left"],
        ["eviction", "never"],
      ];
    case "transformWithState":
    case "groupsWithState":
      return [
        timeLine(watermarkedColumn(node.input)),
        ["state key", node.keys.join(", ")],
        ["eviction", "by your code: timers, timeouts and time to live"],
      ];
  }
}

const timeLine = (time: WatermarkedColumn | undefined): Line => [
  "watermark",
  time === undefined ? "none" : `${time.name}, delay threshold ${durationText(time.delayMs * 1000)}`,
];

/** How far the watermark that reaches a node's output lies behind the query's: joins hold it back (SEMANTICS H3). */
function lagMs(node: LogicalNode): number {
  const below = Math.max(0, ...inputsOf(node).map(lagMs));
  if (node.kind !== "join" || !isStateful(node)) return below;
  const { left, right } = conditionOf(node).retentionMs;
  return below + Math.max(0, left ?? 0, right ?? 0);
}

const shifted = (ms: number): string =>
  ms === 0 ? "" : ms < 0 ? ` - ${durationText(-ms * 1000)}` : ` + ${durationText(ms * 1000)}`;

const bound = (time: WatermarkedColumn): string => (time.type === "window" ? `${time.name}.end` : time.name);

function aggregateLines(node: NodeOf<"aggregate">, outputMode: OutputMode): readonly Line[] {
  const [time] = watermarkedColumns(node);
  const keys = [...(node.window === undefined ? [] : [node.window.as]), ...node.keys.map(({ name }) => name)];
  const evicts = time !== undefined && outputMode !== "complete";
  return [
    timeLine(time),
    ["state key", keys.join(", ") || "none: one group"],
    [
      "eviction",
      evicts ? `${bound(time)} <= watermark${outputMode === "append" ? ", emitted then" : ", silently"}` : "never",
    ],
    ...(evicts ? generationLines(node, time, outputMode) : []),
  ];
}

/** Windows of one key that are alive at a time, and how long after a window's start its row comes out. */
function generationLines(node: NodeOf<"aggregate">, time: WatermarkedColumn, outputMode: OutputMode): readonly Line[] {
  const { window } = node;
  const delay = (time.delayMs + lagMs(node.input)) * 1000;
  if (window === undefined || window.kind === "session") {
    const gap = window?.gap;
    const quiet = typeof gap === "number" ? `${durationText(gap)} gap + ` : window === undefined ? "" : "gap + ";
    return outputMode === "append"
      ? [["append latency", `${quiet}${durationText(delay)} delay + trigger, after the last row of a group`]]
      : [];
  }
  const { size, slide } = window;
  const generations = Math.ceil((delay + size) / slide);
  const lines: Line[] = [
    [
      "generations",
      `${generations} state rows per key: (${durationText(delay)} delay + ${durationText(size)} window) / ${durationText(slide)} slide`,
    ],
  ];
  if (outputMode === "append") {
    lines.push([
      "append latency",
      `${durationText(size + delay)} + trigger, after a window's start: ${durationText(size)} window + ${durationText(delay)} delay`,
    ]);
  }
  return lines;
}

function deduplicateLines(node: NodeOf<"deduplicate">): readonly Line[] {
  const times = watermarkedColumns(node.input);
  const keyed = times.find(({ name }) => node.keys.includes(name));
  const eviction = node.withinWatermark
    ? `${durationText((times[0]?.delayMs ?? 0) * 1000)} after the event time of a key's first row`
    : keyed === undefined
      ? "never"
      : `${bound(keyed)} <= watermark`;
  return [timeLine(times[0]), ["state key", node.keys.join(", ")], ["eviction", eviction]];
}

function joinLines(node: NodeOf<"join">): readonly Line[] {
  const { keys, retentionMs } = conditionOf(node);
  const side = (name: "left" | "right"): Line => {
    const time = watermarkedColumn(node[name]);
    const kept = retentionMs[name];
    const rule =
      kept === null ? "never" : `${time === undefined ? "join key" : bound(time)}${shifted(kept)} <= watermark`;
    return [
      `${name} rows`,
      `${time === undefined ? "no watermark" : `watermark ${time.name}, delay threshold ${durationText(time.delayMs * 1000)}`}; eviction: ${rule}`,
    ];
  };
  return [
    ["state key", keys.map((key) => `${expressionText(key.left)} = ${expressionText(key.right)}`).join(", ")],
    side("left"),
    side("right"),
  ];
}
