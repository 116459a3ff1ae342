import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { streamEvents } from "./event-stream.js";
import type { PageFeed } from "./page-feed.js";
import { type PageFile, readPageFiles } from "./page-files.js";

interface PageServerOptions {
  readonly feed: PageFeed;
  /** The first port that is tried; one that is taken gives way to the next, twenty times. */
  readonly port?: number;
  readonly files?: ReadonlyMap<string, PageFile>;
  /** Takes a record from the page's form or from `PUT /records/NAME`; absent: records are refused. Throws an Error with words. */
  readonly putRecord?: (source: string, payload: Buffer) => Promise<void>;
}

export interface PageServer {
  /** `http://127.0.0.1:<port>`. */
  readonly address: string;
  stop(): Promise<void>;
}

const PAGE_PORT = 4040;
const PORTS_TRIED = 20;
const MAX_RECORD_BYTES = 1_048_576;

const SECURITY = Object.freeze({
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
});

/** The page on 127.0.0.1 alone. It serves its own files and one event stream, and answers nobody who asks under another name. */
export async function startPageServer(options: PageServerOptions): Promise<PageServer> {
  const files = options.files ?? readPageFiles();
  const server = createServer({ requestTimeout: 30_000 }, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await listen(server, options.port ?? PAGE_PORT);
  const { port } = server.address() as AddressInfo;
  const names = [`127.0.0.1:${port}`, `localhost:${port}`];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", headers } = request;
    for (const [name, value] of Object.entries(SECURITY)) response.setHeader(name, value);
    // A page elsewhere may make a browser ask here, also under a name that leads to 127.0.0.1: neither is answered.
    const { host = "", origin } = headers;
    if (!names.includes(host)) return end(response, 421, "This server answers to 127.0.0.1 and localhost only.");
    if (origin !== undefined && !names.some((name) => origin === `http://${name}`))
      return end(response, 403, "Requests of other pages are refused.");
    const path = new URL(request.url ?? "/", `http://${names[0]}`).pathname;
    if (path.startsWith("/records/")) return takeRecord(request, response, path.slice("/records/".length));
    if (method !== "GET" && method !== "HEAD") return end(response, 405, "Only GET.");
    if (path === "/events") return streamEvents(options.feed, response);
    const file = files.get(path);
    if (file === undefined) return end(response, 404, "There is nothing here.");
    response.writeHead(200, { "content-type": file.type, "content-length": file.body.length });
    response.end(method === "HEAD" ? undefined : file.body);
  }

  async function takeRecord(request: IncomingMessage, response: ServerResponse, encoded: string): Promise<void> {
    const { putRecord } = options;
    if (putRecord === undefined) return end(response, 404, "This page takes no records.");
    if (request.method !== "PUT") return end(response, 405, "Only PUT.");
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_RECORD_BYTES) return end(response, 413, "A record has at most 1 MiB.");
      chunks.push(chunk);
    }
    try {
      await putRecord(decodeURIComponent(encoded), Buffer.concat(chunks));
      end(response, 202, "Sent.");
    } catch (error) {
      end(response, 400, (error as Error).message);
    }
  }

  return {
    address: `http://${names[0]}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function end(response: ServerResponse, status: number, words: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" });
  response.end(`${words}\n`);
}

/** Port 0 lets the system choose. */
async function listen(server: Server, first: number): Promise<void> {
  for (let port = first; ; port++) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, "127.0.0.1", () => {
          server.off("error", reject);
          resolve();
        });
      });
      return;
    } catch (error) {
      const taken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!taken || port >= first + PORTS_TRIED) throw error;
    }
  }
}
