import { columns, kinesis, long, memory, readStream, string, timestamp } from "../../lib/index.js";

export const declared = readStream(
  kinesis({
    stream: "orders",
    schema: columns({ at: timestamp().notNull(), orderId: string(), cents: long() }),
    maxFutureSkew: "5 minutes",
  }),
);

export const inTests = readStream(memory({ name: "orders", schema: columns({ at: timestamp(), cents: long() }) }));
