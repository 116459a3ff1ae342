import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { VIEWS, view, workspace } from "./support.js";

const ROOT = resolve(import.meta.dirname, "../..");
const FILES = ["result.jsonl", "late.jsonl"];

/** A day of views that come up to 20 minutes late, by a fixed rule. */
const DAY = Array.from({ length: 40_000 }, (_, at) => {
  const minute = Math.max(0, Math.floor((at * 1_439) / 40_000) - (at % 97 === 0 ? 20 : at % 7));
  const time = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;
  return view(time, `/${at % 50}`);
}).join("");

test("a run that is killed again and again writes what a run in one writes", async () => {
  const { directory, file } = workspace();
  const [query, input] = [file("views.ts", VIEWS), file("day.jsonl", DAY)];
  const start = (name: string) => {
    const places = ["--output", join(directory, name), "--checkpoint", join(directory, `${name}.checkpoint`)];
    const args = ["run", query, "--input", input, "--batch-size", "100", "--drain", ...places];
    const child = spawn(process.execPath, ["--import", "tsx", "lib/cli/main.ts", ...args], {
      cwd: ROOT,
      stdio: "pipe",
    });
    let errors = "";
    child.stderr.on("data", (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const ended = new Promise<{ readonly signal: string | null; readonly errors: string }>((done) =>
      child.once("close", (_, signal) => done({ signal, errors })),
    );
    return { child, ended, begun: () => errors.includes("micro-batches of") };
  };
  const written = (name: string) => FILES.map((output) => readFileSync(join(directory, name, output), "utf8"));

  const killed: (string | null)[] = [];
  for (let kill = 0; kill < 4; kill++) {
    const { child, ended, begun } = start("pieces");
    while (!begun() && child.exitCode === null) await wait(5);
    await wait(100 + Math.random() * 600);
    child.kill("SIGKILL");
    killed.push((await ended).signal);
  }
  expect(killed).toContain("SIGKILL");
  const [, records] = /views: ([\d,]+) records in/.exec((await start("pieces").ended).errors) ?? [];
  // Some of the work was done before, or the test has shown nothing.
  expect(Number(records?.replaceAll(",", ""))).toBeLessThan(40_000);
  await start("whole").ended;
  const whole = written("whole");
  expect(written("pieces")).toEqual(whole);
  expect(whole.every((text) => text.split("\n").length > 100)).toBe(true);
}, 240_000);
