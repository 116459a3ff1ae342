import type { KinesisStreamHandler } from "aws-lambda";
import { pageViews } from "../../functions/page-views.js";
import { queryHandler } from "../../lib/lambda.js";

export const handler: KinesisStreamHandler = queryHandler(pageViews);
