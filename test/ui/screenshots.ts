import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { launchBrowser } from "./browser.js";

const FOLDER = "docs/images";

/** The images of README and docs: the page of `npm start` while it runs, dark, light and narrow. */
async function main(): Promise<number> {
  const browser = await launchBrowser();
  if (browser === null) return 1;
  await mkdir(FOLDER, { recursive: true });
  const demo = spawn(process.execPath, ["--import", "tsx", "demo/start.ts", "--only", "page-views", "--linger"]);
  try {
    await takeAll(browser, await addressOf(demo));
    return 0;
  } finally {
    demo.kill("SIGKILL");
    await browser.close();
  }
}

const addressOf = (demo: ReturnType<typeof spawn>): Promise<string> =>
  new Promise((resolve) => {
    let text = "";
    demo.stdout!.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const address = /http:\/\/127\S+/.exec(text)?.[0];
      if (address !== undefined) resolve(address);
    });
  });

async function takeAll(browser: Browser, address: string): Promise<void> {
  const open = async (colorScheme: "dark" | "light", width: number, height: number) => {
    const page = await browser.newPage({ locale: "en-US", colorScheme, viewport: { width, height } });
    await page.goto(address);
    return page;
  };
  const dark = await open("dark", 1280, 800);
  const light = await open("light", 1280, 800);
  // Some windows have closed, some are open, a few rows are late.
  await dark.getByText("closed").nth(1).waitFor({ timeout: 60_000 });
  await wait(2_500);
  await dark.screenshot({ path: `${FOLDER}/page-dark.png` });
  await light.getByRole("tab", { name: /^Late rows/ }).click();
  await light.locator("details.late").first().waitFor();
  await light.screenshot({ path: `${FOLDER}/page-light.png` });
  const narrow = await open("dark", 390, 844);
  await wait(1_500);
  await narrow.screenshot({ path: `${FOLDER}/page-narrow.png` });
}

process.exitCode = await main();
