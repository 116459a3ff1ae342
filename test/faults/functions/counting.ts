import { queryHandler } from "../../../lib/lambda/query-handler.js";
import { readings } from "../queries.js";

export const handler = queryHandler(readings());
