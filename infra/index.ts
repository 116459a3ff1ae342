/** The CDK door, `tidemark/infra`: what deploys a query. It needs aws-cdk-lib and constructs, which only it asks for. */
export type { AlarmThresholds } from "./alarm-thresholds.js";
export { Heartbeat, type HeartbeatProps } from "./heartbeat.js";
export type { KafkaAuthentication, KafkaConnection } from "./kafka-mapping.js";
export { type CatalogOptions, QueryCatalog, type QueryCatalogProps } from "./query-catalog.js";
export { QueryMonitoring, type QueryMonitoringProps } from "./query-monitoring.js";
export type { DeployableQuery } from "./query-sources.js";
export { type QuerySettings, queryStack } from "./query-stack.js";
export { QueryStorage, type QueryStorageProps } from "./query-storage.js";
export { StreamingQuery, type StreamingQueryProps } from "./streaming-query.js";
export { Sweeper, type SweeperProps } from "./sweeper.js";
