import { App, CfnOutput, Stack, Tags } from "aws-cdk-lib";
import { adClicks } from "../functions/ad-clicks.js";
import { flights } from "../functions/flights.js";
import { orders } from "../functions/orders.js";
import { pageViews } from "../functions/page-views.js";
import { exampleSettings } from "./example-settings.js";
import { StreamingQuery } from "./streaming-query.js";

const app = new App();
const settings = exampleSettings(app);

/** One stack per query: each is deployed, changed and removed alone. */
const queryStack = (id: string, query: typeof pageViews, entry: string): void => {
  const stack = new Stack(app, `Tidemark${id}`, { description: query.definition.queryName });
  const deployed = new StreamingQuery(stack, "Query", { query, entry, ...settings.query });
  const outputs = {
    QueryName: query.definition.queryName,
    FunctionName: deployed.function.functionName,
    LogGroupName: deployed.function.logGroup.logGroupName,
    TableName: deployed.storage.table.tableName,
    BucketName: deployed.storage.bucket.bucketName,
  };
  for (const [name, value] of Object.entries(outputs)) new CfnOutput(stack, name, { value });
  Tags.of(stack).add("tidemark", query.definition.queryName);
};

queryStack("PageViews", pageViews, "functions/page-views.ts");
queryStack("Flights", flights, "functions/flights.ts");
queryStack("AdClicks", adClicks, "functions/ad-clicks.ts");
queryStack("Orders", orders, "functions/orders.ts");
