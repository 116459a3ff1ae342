/** The local stack: Kinesis, DynamoDB and S3 in this process, and what AWS puts around a query's function. Needs the package dynalite. */

export { type ChildEnvironment, type ChildEnvironmentOptions, childEnvironment } from "./local/child-environment.js";
export {
  createQueryResources,
  type Deployment,
  type DeploymentOptions,
  deployQuery,
} from "./local/deployment.js";
export type { FailureRecord } from "./local/event-source-mapping/failure-record.js";
export type { MappingSettings } from "./local/event-source-mapping/mapping-options.js";
export { functionPool } from "./local/function-pool.js";
export { inProcessEnvironment, type LambdaEnvironment } from "./local/lambda-environment.js";
export { type Stack, type StackOptions, startStack } from "./local/stack.js";
