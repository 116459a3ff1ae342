import { externalError } from "../errors.js";

/** Rule 13. A retry does help: the records are delivered again, and newer code takes them. */
export const superseded = (query: string, ownGeneration: number): Error =>
  externalError(
    "superseded",
    `Newer code, of a generation above ${ownGeneration}, has taken over ${query}.`,
    "Nothing to do: the newer version processes the records. A rollback is deployed as a new, higher version.",
  );
