/**
 * The whole program of a child process that plays a Lambda environment. It is handed to Node as text, so it may import nothing but
 * Node's own modules and types. Arguments: the handler's file, the handler's name.
 */
import { pathToFileURL } from "node:url";
import type { ChildMessage, InvokeMessage, SentError } from "./child-protocol.js";

const send = (message: ChildMessage): void => void process.send?.(message);

const sent = (thrown: unknown): SentError => {
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { name, message, ...(stack === undefined ? {} : { stack }) };
};

// A parent that was killed leaves no child behind.
process.on("disconnect", () => process.exit());

try {
  const [file, name] = process.argv.slice(1) as [string, string];
  const handler = (await import(pathToFileURL(file).href))[name];
  if (typeof handler !== "function") throw new Error(`${name} is not an exported function of ${file}`);
  process.on("message", async ({ id, event, context, deadline }: InvokeMessage) => {
    const getRemainingTimeInMillis = () => Math.max(0, deadline - Date.now());
    try {
      const response = await handler(event, {
        ...context,
        callbackWaitsForEmptyEventLoop: true,
        getRemainingTimeInMillis,
      });
      send({ kind: "answer", id, response });
    } catch (error) {
      send({ kind: "failure", id, error: sent(error) });
    }
  });
  send({ kind: "ready" });
} catch (error) {
  send({ kind: "unloadable", error: sent(error) });
}
