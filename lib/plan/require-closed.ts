import { userError } from "../errors.js";
import type { Schema } from "./schema.js";

/** For verbs that must name every column, the ones they were not told of too. @throws `open-columns` */
export function requireClosed(schema: Schema, verb: string): void {
  if (!schema.open) return;
  throw userError(
    "open-columns",
    `${verb} must know all columns, and those of this stream are known only as rows come.`,
    "Name them with select() first, or declare them with columns().",
  );
}
