import type { InputRow } from "./input.js";
import type { Join, Shape, Stage } from "./shape.js";

/** A row with what was known when it was processed: the watermark in force (µs) and its micro-batch. Plain loops, no engine code. */
export interface SeenRow extends InputRow {
  readonly watermark: number;
  readonly batch: number;
  readonly source: number;
}

export interface Answer {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** Rows in the late output: late, or late for some of their windows. */
  readonly late: number;
}

/** A row between stages. */
interface Item {
  readonly t: number | null;
  readonly k: string | null;
  readonly id: string;
  readonly n: number;
  readonly total: number | null;
  readonly top: number | null;
  readonly watermark: number;
  readonly batch: number;
  readonly out: Readonly<Record<string, unknown>>;
}

const NEVER = Number.NEGATIVE_INFINITY;
const SECOND = 1_000_000;
const ms = (micros: number | null): number | null => (micros === null ? null : micros / 1000);

export function bruteForce(shape: Shape, seen: readonly SeenRow[]): Answer {
  const kept = seen.filter((row) => passesFilter(shape, row));
  const [head, ...tail] = shape.stages;
  const late = { count: 0 };
  let items =
    head.kind === "join" ? joinRows(head, kept, late, tail.length > 0) : apply(head, 0, shape, kept.map(itemOf), late);
  tail.forEach((stage, index) => {
    // Nothing that comes out of a stage is late at the next: what it waited for, the next waits for too.
    const onTime = items.map((item) => ({ ...item, watermark: NEVER }));
    items = apply(stage, index + 1, shape, onTime, { count: 0 });
  });
  const rows = items.map(({ out }) => out);
  return { rows: rows.filter((row) => !isMarker(row)), late: late.count };
}

export const passesFilter = ({ filter }: Shape, { v }: InputRow): boolean =>
  filter === null || (v !== null && v >= filter.atLeast);

export const isMarker = (row: Readonly<Record<string, unknown>>): boolean =>
  [row["k"], row["lk"], row["rk"]].some((key) => typeof key === "string" && key.startsWith("marker"));

const outOf = ({ t, k, id, v }: InputRow) => ({ t: ms(t), k, id, v });

const itemOf = (row: SeenRow): Item => ({ ...row, n: 1, total: row.v, top: row.v, out: outOf(row) });

function apply(stage: Stage, index: number, shape: Shape, items: readonly Item[], late: { count: number }): Item[] {
  switch (stage.kind) {
    case "window":
      return windows(stage, index, shape, items, late);
    case "session":
      return sessions(stage.gap * SECOND, index, shape, items, late);
    case "dedup":
    case "dedupWithin":
      return distinct(stage.kind, shape, items, late);
    case "join":
      throw new Error("a join is always the first stage");
  }
}

const behind = ({ lateRule }: Shape, t: number, watermark: number): boolean =>
  lateRule === "event-time" && t < watermark;

function windows(
  { size, slide, offset }: Extract<Stage, { kind: "window" }>,
  index: number,
  shape: Shape,
  items: readonly Item[],
  late: { count: number },
): Item[] {
  const groups = new Map<string, { start: number; members: Item[] }>();
  for (const item of items) {
    if (item.t === null) continue;
    const starts: number[] = [];
    const grid = slide * SECOND;
    for (let at = Math.floor((item.t - size * SECOND) / grid) * grid - grid; at <= item.t + grid; at += grid) {
      const start = at + offset * SECOND;
      if (start <= item.t && item.t < start + size * SECOND) starts.push(start);
    }
    const open = behind(shape, item.t, item.watermark)
      ? []
      : starts.filter((start) => start + size * SECOND > item.watermark);
    if (open.length < starts.length) late.count++;
    for (const start of open) {
      const key = JSON.stringify([start, item.k]);
      const group = groups.get(key) ?? { start, members: [] };
      group.members.push(item);
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ start, members }) => aggregated(members, start, start + size * SECOND, index));
}

/** Sessions of a key in the order of arrival; those that the watermark has passed take no more rows. */
function sessions(gap: number, index: number, shape: Shape, items: readonly Item[], late: { count: number }): Item[] {
  const all: { start: number; end: number; k: string | null; members: Item[] }[] = [];
  for (const item of items) {
    if (item.t === null) continue;
    const { t, k, watermark } = item;
    if (t + gap <= watermark || behind(shape, t, watermark)) {
      late.count++;
      continue;
    }
    const merged = { start: t, end: t + gap, k, members: [item] };
    for (let again = true; again; ) {
      again = false;
      for (const [at, other] of all.entries()) {
        if (other.k !== k || other.end <= watermark) continue;
        if (other.start > merged.end || merged.start > other.end) continue;
        merged.start = Math.min(merged.start, other.start);
        merged.end = Math.max(merged.end, other.end);
        merged.members.push(...other.members);
        all.splice(at, 1);
        again = true;
        break;
      }
    }
    all.push(merged);
  }
  return all.map(({ start, end, members }) => aggregated(members, start, end, index));
}

function aggregated(members: readonly Item[], start: number, end: number, index: number): Item {
  let n = 0;
  let total: number | null = null;
  let top: number | null = null;
  for (const member of members) {
    n += member.n;
    if (member.total !== null) total = (total ?? 0) + member.total;
    if (member.top !== null) top = Math.max(top ?? member.top, member.top);
  }
  const { k } = members[0]!;
  const window = { start: start / 1000, end: end / 1000 };
  const out = { [`w${index}`]: window, k, n, total, top };
  return { t: end - 1, k, id: JSON.stringify(window), n, total, top, watermark: NEVER, batch: 0, out };
}

function distinct(
  kind: "dedup" | "dedupWithin",
  shape: Shape,
  items: readonly Item[],
  late: { count: number },
): Item[] {
  const known = new Map<string, { expiry: number; batch: number }>();
  const firsts: Item[] = [];
  for (const item of items) {
    if (item.t !== null && item.t <= item.watermark) {
      late.count++;
      continue;
    }
    const key = kind === "dedup" ? JSON.stringify([item.id, item.t, item.out["w0"] ? item.k : null]) : item.id;
    const before = known.get(key);
    // A key is forgotten at the end of a micro-batch, never within it.
    const forgotten = before !== undefined && before.batch < item.batch && before.expiry <= item.watermark;
    if (before !== undefined && !forgotten) continue;
    const expiry = kind === "dedup" ? Number.POSITIVE_INFINITY : (item.t ?? 0) + shape.delayMs * 1000;
    known.set(key, { expiry, batch: item.batch });
    firsts.push(item);
  }
  return firsts;
}

/** Whether a join's implied filters take the row out before the watermark sees it (SEMANTICS F8). */
export function filteredByJoin(shape: Shape, { k, v }: InputRow, source: number): boolean {
  const [head] = shape.stages;
  if (head.kind !== "join") return false;
  const { type, residual } = head;
  const filtered =
    type === "inner" ||
    type === "leftSemi" ||
    (type === "leftOuter" && source === 1) ||
    (type === "rightOuter" && source === 0);
  return filtered && (k === null || (residual && v === null));
}

function joinRows(join: Join, rows: readonly SeenRow[], late: { count: number }, flat: boolean): Item[] {
  const shape = { stages: [join] } as unknown as Shape;
  const candidates = rows.filter((row) => !filteredByJoin(shape, row, row.source));
  const accepted = candidates.filter(({ t, watermark }) => t === null || t > watermark);
  late.count += candidates.length - accepted.length;
  const [left, right] = [0, 1].map((side) => accepted.filter(({ source }) => source === side));
  const matches = (l: SeenRow, r: SeenRow): boolean =>
    l.k !== null &&
    l.k === r.k &&
    l.t !== null &&
    r.t !== null &&
    r.t >= l.t + join.from * SECOND &&
    r.t <= l.t + join.to * SECOND &&
    (!join.residual || (l.v !== null && r.v !== null && l.v <= r.v));
  const result: Item[] = [];
  const emit = (l: SeenRow | null, r: SeenRow | null) => result.push(joinedItem(join, l, r, flat));
  for (const l of left!) {
    const partners = right!.filter((r) => matches(l, r));
    if (join.type === "leftSemi") {
      if (partners.length > 0) emit(l, null);
    } else if (partners.length > 0) for (const r of partners) emit(l, r);
    else if (join.type === "leftOuter" || join.type === "fullOuter") emit(l, null);
  }
  if (join.type === "rightOuter" || join.type === "fullOuter")
    for (const r of right!) if (!left!.some((l) => matches(l, r))) emit(null, r);
  return result;
}

function joinedItem({ type }: Join, l: SeenRow | null, r: SeenRow | null, flat: boolean): Item {
  const side = (prefix: string, row: SeenRow | null) => ({
    [`${prefix}t`]: ms(row?.t ?? null),
    [`${prefix}k`]: row?.k ?? null,
    [`${prefix}id`]: row?.id ?? null,
    [`${prefix}v`]: row?.v ?? null,
  });
  const v = r?.v ?? null;
  const common = {
    n: 1,
    total: v,
    top: v,
    watermark: NEVER,
    batch: 0,
    t: l?.t ?? null,
    k: l?.k ?? null,
    id: l?.id ?? "",
  };
  if (flat) return { ...common, out: { t: ms(common.t), k: common.k, id: common.id, v } };
  return { ...common, out: type === "leftSemi" ? side("l", l) : { ...side("l", l), ...side("r", r) } };
}
