import { sweeperHandler } from "../lib/lambda.js";

/** Once a day: deletes checkpoint objects that nothing names any more. One serves every query that the environment lists. */
export const handler = sweeperHandler();
