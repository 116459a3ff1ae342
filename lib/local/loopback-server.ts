import { createServer as createHttp1Server } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, createServer as createSocketServer, type Socket } from "node:net";

export interface HttpRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** `"hang-up"` closes the connection without an answer, as a crash or a lost response does. */
type HttpHandler = (request: HttpRequest) => Promise<HttpResponse | "hang-up">;

export interface LoopbackServer {
  /** `http://127.0.0.1:<port>`. */
  readonly endpoint: string;
  /** Drops open connections; resolves when the port is free. */
  stop(): Promise<void>;
}

interface IncomingLike extends AsyncIterable<Buffer> {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Record<string, string | string[] | undefined>;
}

interface OutgoingLike {
  writeHead(status: number, headers: Record<string, string | number>): unknown;
  end(body?: Uint8Array | string): unknown;
  destroy(): unknown;
}

/** HTTP/1.1 and HTTP/2 with prior knowledge on one port of 127.0.0.1: the Kinesis client speaks the latter unless told otherwise. */
export async function startLoopbackServer(handle: HttpHandler, port = 0): Promise<LoopbackServer> {
  const serve = (incoming: IncomingLike, outgoing: OutgoingLike) => {
    answer(handle, incoming, outgoing).catch(() => outgoing.destroy());
  };
  const http1 = createHttp1Server({ keepAliveTimeout: 0 }, (i, o) => serve(i, o));
  const http2 = createHttp2Server((i, o) => serve(i, { ...bound(o), destroy: () => o.stream.close() }));
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    socket.once("readable", () => {
      const first: Buffer | null = socket.read();
      if (first === null) return;
      socket.unshift(first);
      const isHttp2 = first.toString("latin1", 0, 3) === "PRI";
      (isHttp2 ? http2 : http1).emit("connection", socket);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function bound(response: Omit<OutgoingLike, "destroy">): Omit<OutgoingLike, "destroy"> {
  return {
    writeHead: (status, headers) => response.writeHead(status, headers),
    end: (body) => (body === undefined ? response.end() : response.end(body)),
  };
}

async function answer(handle: HttpHandler, incoming: IncomingLike, outgoing: OutgoingLike): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = typeof value === "string" ? value : value.join(",");
  }
  const response = await handle({
    method: incoming.method ?? "GET",
    url: incoming.url ?? "/",
    headers,
    body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks),
  });
  if (response === "hang-up") {
    outgoing.destroy();
    return;
  }
  const length = response.body === undefined ? 0 : Buffer.byteLength(response.body);
  outgoing.writeHead(response.status, { "content-length": length, ...response.headers });
  outgoing.end(response.body);
}
