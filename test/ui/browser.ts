import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** For a function with one process and no other page; a test wants what a browser does by itself. */
const UNWANTED: ReadonlySet<string> = new Set([
  "--single-process",
  "--disable-web-security",
  "--allow-running-insecure-content",
]);

/** The Chromium of an npm package where it runs (Linux), else an installed Chrome; null, with a word on why, where neither does. */
export async function launchBrowser(): Promise<Browser | null> {
  const reasons: string[] = [];
  const packaged = async () => ({
    executablePath: await chromium.executablePath(),
    args: chromium.args.filter((arg) => !UNWANTED.has(arg)),
  });
  for (const options of [packaged, async () => ({ channel: "chrome" })]) {
    try {
      return await playwright.launch({ headless: true, ...(await options()) });
    } catch (error) {
      reasons.push((error as Error).message.split("\n")[0]!);
    }
  }
  process.stderr.write(`SKIPPED: the page in a browser, for none runs here: ${reasons.join("; ")}\n`);
  return null;
}
