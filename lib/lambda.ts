/** The Lambda runtime of a query: a door of its own, because it brings middy, powertools and the AWS SDK. */
export type { BatchResponse } from "./lambda/batch-response.js";
export { ENVIRONMENT } from "./lambda/environment.js";
export type { CommandEvent, ScheduledEvent } from "./lambda/events.js";
export { heartbeatHandler } from "./lambda/heartbeat-handler.js";
export { answerAtOnce, logFailures } from "./lambda/middleware.js";
export { type HandledQuery, type HandlerOptions, type QueryHandler, queryHandler } from "./lambda/query-handler.js";
export { type DeployedQuery, lastProgress, recentProgress } from "./lambda/recent-progress.js";
export { sweeperHandler } from "./lambda/sweeper-handler.js";
export type { InputWatermark, ShardWatermark } from "./runtime/input-watermarks.js";
export type {
  QueryIdleEvent,
  QueryProgressEvent,
  QueryStartedEvent,
  QueryTerminatedEvent,
  StreamingQueryListener,
} from "./runtime/listener.js";
export type { QueryProgress, SourceProgress, StateOperatorProgress, StepDurations } from "./runtime/progress.js";
