import { pageViews } from "../functions/page-views.js";
import { partitionedHandler } from "./partitioned.js";

export const handler = partitionedHandler(pageViews);
