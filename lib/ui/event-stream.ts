import type { ServerResponse } from "node:http";
import type { PageMessage } from "./messages.js";
import type { PageFeed } from "./page-feed.js";

const EVERY_MS = 200;
/** Bytes that the browser has not taken: beyond them it is given no more, and what is dropped is dots first. */
const BACKLOG_BYTES = 512 * 1024;
const QUEUED = Object.freeze({ messages: 400, dots: 1_500 });

/**
 * Server-sent events for one page. Messages wait for at most a fifth of a second, so that ten thousand records cost a few
 * writes; a page that does not keep up misses dots, and in the end everything but the newest, and the query never waits for it.
 */
export function streamEvents(feed: PageFeed, response: ServerResponse): void {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    connection: "keep-alive",
    "x-content-type-options": "nosniff",
  });
  const write = (messages: readonly PageMessage[]) => response.write(`data: ${JSON.stringify(messages)}\n\n`);
  write(feed.snapshot());

  let queue: PageMessage[] = [];
  let dots = 0;
  const unsubscribe = feed.subscribe((message) => {
    if (message.type === "records") {
      if (dots >= QUEUED.dots) return;
      dots += message.dots.length;
    }
    queue.push(message);
    if (queue.length > QUEUED.messages) queue = queue.slice(-QUEUED.messages / 2);
  });
  let quiet = 0;
  const timer = setInterval(() => {
    if (response.writableLength > BACKLOG_BYTES) {
      queue = queue.filter(({ type }) => type !== "records");
      return;
    }
    if (queue.length > 0) {
      write(queue);
      quiet = 0;
    } else if (++quiet % 50 === 0) response.write(": still here\n\n");
    queue = [];
    dots = 0;
  }, EVERY_MS);
  response.on("close", () => {
    clearInterval(timer);
    unsubscribe();
  });
}
