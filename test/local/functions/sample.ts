import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import type { LambdaContext } from "../../../lib/local/lambda-context.js";

interface Command {
  readonly do: "count" | "echo" | "throw" | "exit" | "hang" | "put" | "variables" | "write" | "wait";
  readonly key?: string;
  readonly ms?: number;
}

let count = 0;

/** Does what a test tells it; what it keeps in memory shows whether its process is still the same. */
export const handler = async (event: Command, context: LambdaContext): Promise<unknown> => {
  count += 1;
  switch (event.do) {
    case "count":
      return count;
    case "echo":
      return { event, name: context.functionName, remaining: context.getRemainingTimeInMillis() };
    case "throw":
      throw new RangeError("thrown by the handler");
    case "exit":
      process.exit(3);
      break;
    case "hang":
      return new Promise(() => setInterval(() => {}, 1000));
    case "wait":
      await new Promise((resolve) => setTimeout(resolve, event.ms));
      return count;
    case "variables":
      return Object.keys(process.env).sort();
    case "write":
      console.log("written by the handler");
      return null;
    case "put": {
      const client = new S3Client();
      await client.send(new PutObjectCommand({ Bucket: "data", Key: event.key!, Body: "from a child" }));
      return null;
    }
  }
};

export const notAFunction = 1;
