/** The factories: the only makers of plan nodes, each frozen, with its schema resolved and its columns checked. */
export { type AggregateInput, aggregateNode, type GroupingInput } from "./nodes/aggregate-node.js";
export { type DeduplicateInput, deduplicateNode } from "./nodes/deduplicate-node.js";
export { filterNode } from "./nodes/filter-node.js";
export { type JoinInput, joinNode } from "./nodes/join-node.js";
export { limitNode } from "./nodes/limit-node.js";
export { type MapInput, mapNode } from "./nodes/map-node.js";
export { type ProjectionInput, projectNode } from "./nodes/project-node.js";
export { sortNode } from "./nodes/sort-node.js";
export { sourceNode, staticNode } from "./nodes/source-node.js";
export { type StatefulInput, statefulNode } from "./nodes/stateful-node.js";
export { unionNode } from "./nodes/union-node.js";
export { watermarkNode } from "./nodes/watermark-node.js";
export { makeSession, makeWindow, type WindowInput, windowGrid } from "./nodes/window-spec.js";
