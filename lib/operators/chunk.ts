import type { Row } from "../plan/schema.js";
import type { Chunk, Origin } from "./operator.js";

/** Visits the rows in order, each with its origin. */
export function forEachRow({ rows, origin }: Chunk, visit: (row: Row, origin: Origin | null) => void): void {
  for (let i = 0; i < rows.length; i++) visit(rows[i]!, origin === null ? null : origin[i]!);
}

/** Every row becomes none, one or several; the origin goes with each. */
export function expandRows(chunk: Chunk, expand: (row: Row, origin: Origin | null) => Iterable<Row>): Chunk {
  const rows: Row[] = [];
  const origin: Origin[] | null = chunk.origin === null ? null : [];
  for (let i = 0; i < chunk.rows.length; i++) {
    const from = chunk.origin?.[i] ?? null;
    for (const row of expand(chunk.rows[i]!, from)) {
      rows.push(row);
      if (from !== null) origin?.push(from);
    }
  }
  return { rows, origin };
}

/** Keeps the rows that `keep` accepts; the chunk itself if it accepts all. */
export function keepRows(chunk: Chunk, keep: (row: Row, origin: Origin | null) => boolean): Chunk {
  const rows: Row[] = [];
  const origin: Origin[] | null = chunk.origin === null ? null : [];
  for (let i = 0; i < chunk.rows.length; i++) {
    const from = chunk.origin?.[i] ?? null;
    if (!keep(chunk.rows[i]!, from)) continue;
    rows.push(chunk.rows[i]!);
    if (from !== null) origin?.push(from);
  }
  return rows.length === chunk.rows.length ? chunk : { rows, origin };
}
