import { App } from "aws-cdk-lib";
import { exampleSettings } from "./example-settings.js";
import { queryStack } from "./query-stack.js";

const app = new App();
const settings = exampleSettings(app);

await queryStack(app, "functions/page-views.ts", settings);
await queryStack(app, "functions/flights.ts", settings);
await queryStack(app, "functions/ad-clicks.ts", settings);
await queryStack(app, "functions/orders.ts", settings);
