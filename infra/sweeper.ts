import { Duration } from "aws-cdk-lib";
import * as events from "aws-cdk-lib/aws-events";
import * as targets from "aws-cdk-lib/aws-events-targets";
import { Construct } from "constructs";
import { ENVIRONMENT } from "../lib/lambda/environment.js";
import { acknowledgeFolders } from "./acknowledge.js";
import { sweeperStatements } from "./grants.js";
import { ownEntry } from "./own-entry.js";
import { QueryFunction } from "./query-function.js";
import type { DeployableQuery } from "./query-sources.js";
import type { QueryStorage } from "./query-storage.js";

export interface SweeperProps {
  readonly query: DeployableQuery;
  readonly storage: QueryStorage;
  readonly retain: boolean;
}

/** Deletes, once a day, checkpoint objects that nothing has named for 48 hours (protocol rule 10). Its role can delete nothing else. */
export class Sweeper extends Construct {
  constructor(scope: Construct, id: string, { query, storage, retain }: SweeperProps) {
    super(scope, id);
    const { queryName } = query.definition;
    const { lambdaFunction, role } = new QueryFunction(this, "Function", {
      entry: ownEntry("sweeper"),
      description: `Sweeps the checkpoint objects of ${queryName}`,
      memorySize: 512,
      timeout: Duration.minutes(15),
      tracing: false,
      logRetentionDays: 30,
      retain,
      environment: {
        [ENVIRONMENT.table]: storage.table.tableName,
        [ENVIRONMENT.bucket]: storage.bucket.bucketName,
        [ENVIRONMENT.sweptQuery]: queryName,
      },
    });
    const statements = sweeperStatements(queryName, storage);
    for (const statement of statements) lambdaFunction.addToRolePolicy(statement);
    acknowledgeFolders(role, statements);
    new events.Rule(this, "Daily", {
      schedule: events.Schedule.rate(Duration.days(1)),
      targets: [new targets.LambdaFunction(lambdaFunction, { retryAttempts: 0 })],
    });
  }
}
