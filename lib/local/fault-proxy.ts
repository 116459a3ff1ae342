import { request as httpRequest } from "node:http";
import { type HttpRequest, type HttpResponse, type LoopbackServer, startLoopbackServer } from "./loopback-server.js";
import { seededRandom } from "./seeded-random.js";

type Fault =
  /** The service applies the request, the caller never learns. */
  | "drop-response"
  /** The service never sees the request. */
  | "drop-request"
  /** Status 500, not applied. */
  | "server-error"
  /** ProvisionedThroughputExceededException, or S3's SlowDown, not applied. */
  | "throttle"
  /** Applied after so many ms. */
  | { readonly delayMs: number }
  /** Applied once this resolves. */
  | { readonly until: Promise<unknown> };

export interface FaultRule {
  /** The operation of a JSON service (`PutItem`), or the method of an S3 request (`PUT`). Absent: every call. */
  readonly operation?: string;
  /** Absent: whatever it carries. */
  readonly when?: (request: HttpRequest) => boolean;
  /** 1 by default. */
  readonly probability?: number;
  /** How often it strikes at most; without end by default. */
  readonly times?: number;
  readonly fault: Fault;
}

export interface FaultProxy extends LoopbackServer {
  /** Replaces the rules. The first rule that matches and strikes decides. */
  setRules(rules: readonly FaultRule[]): void;
  /** Calls seen since the start, by operation. */
  readonly calls: ReadonlyMap<string, number>;
  /** How often faults struck. */
  readonly struck: () => number;
}

interface FaultProxyOptions {
  /** Asked at each call where it is a function: a restarted service may have another port. */
  readonly target: string | (() => string);
  readonly rules?: readonly FaultRule[];
  /** Same seed and same order of calls: same faults. */
  readonly seed?: number;
}

/** Stands before an emulator (or any endpoint over plain HTTP) and lets calls fail as a network and a busy service would. */
export async function startFaultProxy({ target, rules = [], seed = 1 }: FaultProxyOptions): Promise<FaultProxy> {
  const random = seededRandom(seed);
  const calls = new Map<string, number>();
  let struck = 0;
  let armed = rules.map((rule) => ({ ...rule, left: rule.times ?? Number.POSITIVE_INFINITY }));
  const choose = (request: HttpRequest, operation: string): Fault | null => {
    for (const rule of armed) {
      if (rule.left <= 0 || (rule.operation !== undefined && rule.operation !== operation)) continue;
      if (rule.when && !rule.when(request)) continue;
      if (rule.probability !== undefined && random() >= rule.probability) continue;
      rule.left -= 1;
      struck += 1;
      return rule.fault;
    }
    return null;
  };
  const server = await startLoopbackServer(async (request) => {
    const operation = request.headers["x-amz-target"]?.split(".")[1] ?? request.method;
    calls.set(operation, (calls.get(operation) ?? 0) + 1);
    const fault = choose(request, operation);
    if (fault === "drop-request") return "hang-up";
    if (fault === "server-error") return { status: 500 };
    if (fault === "throttle") return throttled(request);
    if (typeof fault === "object" && fault !== null) {
      await ("until" in fault ? fault.until : new Promise((resolve) => setTimeout(resolve, fault.delayMs)));
    }
    const response = await forward(typeof target === "string" ? target : target(), request);
    return fault === "drop-response" ? "hang-up" : response;
  });
  return {
    ...server,
    calls,
    struck: () => struck,
    setRules(next) {
      armed = next.map((rule) => ({ ...rule, left: rule.times ?? Number.POSITIVE_INFINITY }));
    },
  };
}

function throttled(request: HttpRequest): HttpResponse {
  if (request.headers["x-amz-target"] === undefined) {
    const body = "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>";
    return { status: 503, headers: { "content-type": "application/xml" }, body };
  }
  const body = JSON.stringify({ __type: "ProvisionedThroughputExceededException", message: "Rate exceeded" });
  return { status: 400, headers: { "content-type": "application/x-amz-json-1.1" }, body };
}

const HOP_BY_HOP = ["connection", "keep-alive", "transfer-encoding", "upgrade"];

function forward(target: string, { method, url, headers, body }: HttpRequest): Promise<HttpResponse | "hang-up"> {
  const passed = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(":") && !HOP_BY_HOP.includes(name)),
  );
  return new Promise((resolve) => {
    const outgoing = httpRequest(new URL(url, target), { method, headers: passed, agent: false }, async (incoming) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const answered: Record<string, string> = {};
      for (const [name, value] of Object.entries(incoming.headers)) {
        if (!HOP_BY_HOP.includes(name) && value !== undefined) answered[name] = String(value);
      }
      resolve({ status: incoming.statusCode ?? 502, headers: answered, body: Buffer.concat(chunks) });
    });
    outgoing.on("error", () => resolve("hang-up"));
    outgoing.end(body);
  });
}
