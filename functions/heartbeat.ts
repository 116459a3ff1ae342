import { heartbeatHandler } from "../lib/lambda.js";

/** On a schedule: one heartbeat record into every shard, so that the watermark moves on though nobody sends. */
export const handler = heartbeatHandler();
