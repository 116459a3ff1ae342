import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { VIEWS, workspace } from "./support.js";

const QUERY = `${VIEWS}
import { queryHandler } from "tidemark/lambda";
export const handler = queryHandler(views);
`;

type Message = Record<string, unknown> & { readonly type: string };

/** What the page is told, as it comes. */
async function listen(address: string, heard: Message[], signal: AbortSignal): Promise<void> {
  const response = await fetch(`${address}/events`, { signal });
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop()!;
    for (const block of blocks)
      if (block.startsWith("data: ")) heard.push(...(JSON.parse(block.slice(6)) as Message[]));
  }
}

test("dev runs a query on the embedded stack, takes records by PUT, and restarts on its checkpoint when the file is saved", async () => {
  const { file } = workspace();
  const path = file("views.ts", QUERY);
  const stop = new AbortController();
  let output = "";
  const write = (text: string) => {
    output += text;
  };
  const command = ["--import", "tsx", "lib/cli/main.ts", "dev", path, "--port", "4400"];
  const running = spawn(process.execPath, command);
  running.stdout.on("data", (chunk: Buffer) => write(chunk.toString()));
  running.stderr.on("data", (chunk: Buffer) => write(chunk.toString()));
  onTestFinished(() => void running.kill("SIGKILL"));
  await expect.poll(() => output, { timeout: 20_000 }).toMatch(/PUT http\S+\/records\/views\n/);
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(output)![0];
  const heard: Message[] = [];
  void listen(address, heard, stop.signal).catch(() => {});
  const put = async (time: string) => {
    const body = JSON.stringify({ at: `2024-03-01T${time}:00Z`, page: "/" });
    expect((await fetch(`${address}/records/views`, { method: "PUT", body })).status).toBe(202);
  };
  const count = (type: string) => heard.filter((message) => message.type === type).length;
  const last = (type: string) => JSON.stringify(heard.findLast((message) => message.type === type) ?? null);

  await put("12:01");
  await put("12:40");
  await expect.poll(() => last("rows"), { timeout: 20_000 }).toContain(String.raw`\"page\":\"/\"`);
  await expect.poll(() => last("windows"), { timeout: 20_000 }).toContain(`"start":${Date.UTC(2024, 2, 1, 12, 40)}`);
  expect(count("records")).toBeGreaterThan(0);

  writeFileSync(path, QUERY.replace(`"page")`, `{ page: "page", again: "page" })`));
  await expect.poll(() => output, { timeout: 20_000 }).toContain("restarted");
  await put("12:41");
  await expect.poll(() => last("status"), { timeout: 20_000 }).toContain("state-key-schema-changed");

  writeFileSync(path, QUERY);
  await expect.poll(() => output.match(/restarted/g)?.length, { timeout: 20_000 }).toBe(2);
  await expect.poll(() => last("status"), { timeout: 20_000 }).toContain(`"state":"running"`);
  expect((await fetch(`${address}/records/clicks`, { method: "PUT", body: "{}" })).status).toBe(400);
  stop.abort();
  running.kill("SIGINT");
  expect(await once(running, "close")).toEqual([0, null]);
}, 90_000);
