import type { JoinType, LateRule, OutputMode, WatermarkPolicy } from "../../lib/plan/logical-plan.js";
import type { Choices } from "../simulation/choices.js";

/** Durations in whole seconds. */
export type Stage =
  | { readonly kind: "window"; readonly size: number; readonly slide: number; readonly offset: number }
  | { readonly kind: "session"; readonly gap: number }
  | { readonly kind: "dedup" | "dedupWithin" }
  | {
      readonly kind: "join";
      readonly type: Exclude<JoinType, "leftAnti">;
      /** The right row's time lies in [left + from, left + to]. */
      readonly from: number;
      readonly to: number;
      readonly residual: boolean;
    };

export type Join = Extract<Stage, { kind: "join" }>;

/** A random query, and how its input behaves. */
export interface Shape {
  /** No row is ever late: its time is behind the highest by less than the delay. */
  readonly onTime: boolean;
  readonly sources: number;
  readonly shards: number;
  readonly watermarkAt: "sources" | "union";
  readonly jitterMs: number;
  readonly delayMs: number;
  readonly policy: WatermarkPolicy;
  readonly lateRule: LateRule;
  readonly outputMode: OutputMode;
  /** Keeps rows of at least this value; an expression sinks below the watermark, a function does not. */
  readonly filter: { readonly kind: "expression" | "function"; readonly atLeast: number } | null;
  readonly stages: readonly [Stage, ...Stage[]];
  readonly closing: "marker" | "drain";
  readonly noDataMicroBatches: boolean;
  /** Small rings lap and write snapshots within a run. */
  readonly ringSize: number;
}

const one = <T>(choices: Choices, values: readonly T[]): T => values[choices.pick(values.length)]!;

function drawWindow(choices: Choices, scale = 1): Stage {
  const slide = one(choices, [2, 5, 10]) * scale;
  const size = slide * one(choices, [1, 1, 2, 3]);
  return { kind: "window", size, slide, offset: one(choices, [0, 0, 1, -1]) };
}

const drawSession = (choices: Choices): Stage => ({ kind: "session", gap: one(choices, [1, 3, 8]) });

const drawAggregate = (choices: Choices, scale = 1): Stage =>
  choices.chance(0.6) ? drawWindow(choices, scale) : drawSession(choices);

function drawJoin(choices: Choices): Join {
  const from = one(choices, [0, -5, 3, -12]);
  return {
    kind: "join",
    type: one(choices, ["inner", "leftOuter", "rightOuter", "fullOuter", "leftSemi"] as const),
    from,
    to: from + one(choices, [0, 2, 10]),
    residual: choices.chance(0.3),
  };
}

function drawStages(choices: Choices): readonly [Stage, ...Stage[]] {
  const dedup: Stage = { kind: choices.chance(0.5) ? "dedup" : "dedupWithin" };
  switch (choices.pick(9)) {
    case 0:
      return [drawWindow(choices)];
    case 1:
      return [drawSession(choices)];
    case 2:
      return [dedup];
    case 3:
      return [drawJoin(choices)];
    case 4:
      return [dedup, drawAggregate(choices)];
    case 5:
      return [drawAggregate(choices), drawAggregate(choices, 2)];
    case 6:
      return [drawAggregate(choices), { kind: "dedup" }];
    case 7: {
      const type = choices.chance(0.5) ? "inner" : "leftOuter";
      return [{ ...drawJoin(choices), type }, drawAggregate(choices)];
    }
    default:
      return [dedup, drawAggregate(choices), drawAggregate(choices, 2)];
  }
}

export function drawShape(choices: Choices): Shape {
  const onTime = choices.chance(0.5);
  const stages = drawStages(choices);
  const [head] = stages;
  const sources = head.kind === "join" ? 2 : 1 + choices.pick(3);
  const watermarkAt = sources > 1 && head.kind !== "join" && choices.chance(0.3) ? "union" : "sources";
  const jitterMs = one(choices, [0, 500, 4_000, 15_000]);
  const updates = head.kind !== "session" && stages.every(({ kind }) => kind !== "session" && kind !== "join");
  const aggregations = stages.filter(({ kind }) => kind === "window").length;
  const update = updates && aggregations === 1 && stages.at(-1)!.kind === "window" && choices.chance(0.3);
  const onlyOnTime = onTime && watermarkAt === "sources";
  return {
    onTime,
    sources,
    shards: 1 + choices.pick(2),
    watermarkAt,
    jitterMs,
    // A row exactly at the watermark is on time, but a session that ended there is closed: hence the millisecond.
    delayMs: onTime
      ? jitterMs + 1 + (onlyOnTime ? choices.pick(3) * 2_000 : 3_600_000)
      : one(choices, [0, 1_000, 7_500]),
    policy: onTime || choices.chance(0.7) ? "min" : "max",
    lateRule: choices.chance(0.3) ? "event-time" : "state",
    outputMode: update ? "update" : "append",
    filter: choices.chance(0.3)
      ? { kind: choices.chance(0.5) ? "expression" : "function", atLeast: choices.pick(6) }
      : null,
    stages,
    closing: choices.chance(0.3) ? "drain" : "marker",
    noDataMicroBatches: !onTime || choices.chance(0.8),
    ringSize: one(choices, [64, 8]),
  };
}
