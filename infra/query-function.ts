import { type Duration, RemovalPolicy } from "aws-cdk-lib";
import * as iam from "aws-cdk-lib/aws-iam";
import * as lambda from "aws-cdk-lib/aws-lambda";
import { NodejsFunction } from "aws-cdk-lib/aws-lambda-nodejs";
import * as logs from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { QUERY_BUNDLING } from "./bundling.js";

export interface QueryFunctionProps {
  readonly entry: string;
  readonly description: string;
  readonly memorySize: number;
  readonly timeout: Duration;
  readonly tracing: boolean;
  readonly logRetentionDays: number;
  readonly retain: boolean;
  readonly reservedConcurrency?: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** One bundled Node function on arm64 with its own log group and an alias of its published version. */
export class QueryFunction extends Construct {
  readonly lambdaFunction: NodejsFunction;
  readonly alias: lambda.Alias;
  readonly role: iam.Role;

  constructor(scope: Construct, id: string, props: QueryFunctionProps) {
    super(scope, id);
    const logGroup = new logs.LogGroup(this, "Logs", {
      retention: props.logRetentionDays as logs.RetentionDays,
      removalPolicy: props.retain ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    // Of our own: the managed policy of Lambda may write to every log group.
    this.role = new iam.Role(this, "Role", { assumedBy: new iam.ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(this.role);
    this.lambdaFunction = new NodejsFunction(this, "Resource", {
      entry: props.entry,
      handler: "handler",
      description: props.description,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.ARM_64,
      memorySize: props.memorySize,
      timeout: props.timeout,
      reservedConcurrentExecutions: props.reservedConcurrency,
      bundling: QUERY_BUNDLING,
      tracing: props.tracing ? lambda.Tracing.ACTIVE : lambda.Tracing.DISABLED,
      logGroup,
      role: this.role,
      environment: { NODE_OPTIONS: "--enable-source-maps", ...props.environment },
    });
    this.alias = new lambda.Alias(this, "Live", { aliasName: "live", version: this.lambdaFunction.currentVersion });
  }
}
