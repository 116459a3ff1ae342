import { request } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type PageFeed, pageFeed } from "../../lib/ui/page-feed.js";
import { type PageServer, startPageServer } from "../../lib/ui/page-server.js";

const files = new Map([["/", { type: "text/html; charset=utf-8", body: Buffer.from("<p>page</p>") }]]);

let feed: PageFeed;
let server: PageServer;
const records: [string, string][] = [];
beforeEach(async () => {
  feed = pageFeed();
  records.length = 0;
  server = await startPageServer({
    feed,
    port: 0,
    files,
    async putRecord(source, payload) {
      if (source !== "views") throw new Error(`The query reads no source '${source}'.`);
      records.push([source, payload.toString()]);
    },
  });
});
afterEach(() => server.stop());

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** As a browser would not let itself be made to ask: with any Host and Origin. */
const ask = ({ method = "GET", path = "/", headers = {}, body = "" }: Asked) =>
  new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const asked = request(`${server.address}${path}`, { method, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, text }));
    });
    asked.on("error", reject).end(body);
  });

/** The messages of the event stream until there are so many. */
async function messages(many: number): Promise<Record<string, unknown>[]> {
  const response = await fetch(`${server.address}/events`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const found: Record<string, unknown>[] = [];
  for (let text = ""; found.length < many; ) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop()!;
    for (const block of blocks) if (block.startsWith("data: ")) found.push(...JSON.parse(block.slice(6)));
  }
  await reader.cancel();
  return found;
}

describe("the page's server", () => {
  it("serves its own files, with a policy that lets no other script in, and nothing else", async () => {
    const page = await ask({});
    expect(page).toMatchObject({ status: 200, text: "<p>page</p>" });
    expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
    expect(page.headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-store" });
    for (const path of ["/package.json", "/../package.json", "/%2e%2e/package.json", "/assets/", "//etc/passwd"])
      expect((await ask({ path })).status, path).toBe(404);
    expect((await ask({ method: "POST" })).status).toBe(405);
  });

  it("binds loopback alone, and takes the next port where one is taken", async () => {
    expect(server.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const port = Number(new URL(server.address).port);
    const next = await startPageServer({ feed, port, files });
    expect(Number(new URL(next.address).port)).toBeGreaterThan(port);
    await next.stop();
  });

  it("answers to no other name: a name that leads to 127.0.0.1 is refused, and so is a page of another origin", async () => {
    const { host } = new URL(server.address);
    expect((await ask({ headers: { host: "attacker.example" } })).status).toBe(421);
    expect((await ask({ path: "/events", headers: { host: "attacker.example:80" } })).status).toBe(421);
    expect((await ask({ headers: { origin: "http://attacker.example" } })).status).toBe(403);
    expect((await ask({ headers: { origin: "null" } })).status).toBe(403);
    expect((await ask({ headers: { host: host.replace("127.0.0.1", "localhost") } })).status).toBe(200);
    const forged = { origin: "http://attacker.example" };
    expect((await ask({ method: "PUT", path: "/records/views", headers: forged, body: "{}" })).status).toBe(403);
    expect(records).toEqual([]);
  });

  it("takes a record by hand, and says in words why it takes another not", async () => {
    const body = '{"page":"/"}';
    expect(await ask({ method: "PUT", path: "/records/views", body })).toMatchObject({ status: 202 });
    expect(records).toEqual([["views", body]]);
    expect(await ask({ method: "PUT", path: "/records/clicks", body })).toMatchObject({
      status: 400,
      text: "The query reads no source 'clicks'.\n",
    });
    const large = "x".repeat(1_048_577);
    expect((await ask({ method: "PUT", path: "/records/views", body: large })).status).toBe(413);
  });

  it("tells a page that joins late what is known, and then what is new", async () => {
    const views = feed.query("views");
    views.status({ state: "running", words: "" });
    views.progress({ batchId: 1 } as never);
    const heard = messages(7);
    await expect.poll(() => feed.isWatched()).toBe(true);
    views.progress({ batchId: 2 } as never);
    const all = await heard;
    const known = ["status", "progress", "records", "rows", "rows", "rows"];
    expect(all.map(({ type }) => type)).toEqual([...known, "progress"]);
    expect(all.at(-1)).toEqual({ type: "progress", query: "views", progress: [{ batchId: 2 }] });
  });

  it("costs nothing once the tab is closed", async () => {
    feed.query("views").status({ state: "running", words: "" });
    await messages(1);
    await expect.poll(() => feed.isWatched()).toBe(false);
  });

  it("keeps a flood of records from the page, not from the query", async () => {
    const dot = { source: "v", shard: "a", sequence: "1", arrival: 1, eventTime: 1, ignored: false };
    const views = feed.query("views");
    views.status({ state: "running", words: "" });
    const heard = messages(7);
    await expect.poll(() => feed.isWatched()).toBe(true);
    for (let burst = 0; burst < 100; burst++) views.records(Array.from({ length: 200 }, () => dot));
    views.idle(null, 1);
    const dots = (await heard).flatMap(({ type, dots: some }) => (type === "records" ? (some as unknown[]) : []));
    expect(dots.length).toBeLessThanOrEqual(4_000 + 1_700);
    expect(feed.snapshot().find(({ type }) => type === "records")).toMatchObject({ dots: { length: 4_000 } });
  });
});
