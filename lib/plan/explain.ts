import type { QueryDefinition } from "./logical-plan.js";

export const explainQuery = (definition: QueryDefinition): string => definition.queryName;
