/** The factories: the only makers of plan nodes, each frozen, with its schema resolved and its columns checked. */
export { type AggregateInput, aggregateNode, type GroupingInput } from "./aggregate-node.js";
export { type DeduplicateInput, deduplicateNode } from "./deduplicate-node.js";
export { filterNode } from "./filter-node.js";
export { type JoinInput, joinNode } from "./join-node.js";
export { limitNode } from "./limit-node.js";
export { type MapInput, mapNode } from "./map-node.js";
export { type ProjectionInput, projectNode } from "./project-node.js";
export { sortNode } from "./sort-node.js";
export { sourceNode, staticNode } from "./source-node.js";
export { type StatefulInput, statefulNode } from "./stateful-node.js";
export { unionNode } from "./union-node.js";
export { watermarkNode } from "./watermark-node.js";
export { makeSession, makeWindow, type WindowInput, windowGrid } from "./window-spec.js";
