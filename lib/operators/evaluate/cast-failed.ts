import { userError } from "../../errors.js";
import { typeText } from "../../plan/data-type.js";
import type { DataType } from "../../plan/schema.js";

export const castFailed = (value: unknown, type: DataType) =>
  userError(
    "cast-failed",
    `A ${typeof value} does not convert to ${typeText(type)}.`,
    "Filter such rows first, or cast from a column that always converts.",
  );
