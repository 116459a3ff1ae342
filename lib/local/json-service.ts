import { randomUUID } from "node:crypto";
import { type LoopbackServer, startLoopbackServer } from "./loopback-server.js";

/** An error of an AWS JSON service as it stands on the wire. */
export class JsonServiceError extends Error {
  readonly type: string;
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(type: string, message: string, extra: Readonly<Record<string, unknown>> = {}, status = 400) {
    super(message);
    this.type = type;
    this.status = status;
    this.extra = extra;
  }
}

type JsonOperation = (name: string, input: Record<string, unknown>) => unknown;

/** AWS JSON 1.0 or 1.1: the operation stands in `x-amz-target`, input and output are one JSON object each. */
export function startJsonService(version: "1.0" | "1.1", run: JsonOperation, port?: number): Promise<LoopbackServer> {
  return startLoopbackServer(async ({ headers, body }) => {
    const name = headers["x-amz-target"]?.split(".")[1] ?? "";
    let status = 200;
    let output: unknown;
    try {
      output = (await run(name, body.length === 0 ? {} : JSON.parse(body.toString("utf8")))) ?? {};
    } catch (error) {
      const known =
        error instanceof JsonServiceError ? error : new JsonServiceError("InternalFailure", String(error), {}, 500);
      status = known.status;
      output = { __type: known.type, message: known.message, ...known.extra };
    }
    return {
      status,
      headers: { "content-type": `application/x-amz-json-${version}`, "x-amzn-requestid": randomUUID() },
      body: JSON.stringify(output),
    };
  }, port);
}
