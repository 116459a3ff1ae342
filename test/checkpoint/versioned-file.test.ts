import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { versionedFile } from "../../lib/checkpoint/versioned-file.js";

const root = mkdtempSync(join(tmpdir(), "tidemark-versions-"));
afterAll(() => rmSync(root, { recursive: true }));

let made = 0;
const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const text = (found: { readonly bytes: Uint8Array } | null) => found && Buffer.from(found.bytes).toString();

describe("a versioned file", () => {
  it("is written only over the version that its writer saw", async () => {
    const file = versionedFile(join(root, String(++made)), "slot-1");
    expect(await file.read()).toBeNull();
    expect(await file.write(1, 0, bytes("one"))).toBe(true);
    expect(await file.write(1, 0, bytes("other"))).toBe(false);
    expect(await file.write(65, 1, bytes("two"))).toBe(true);
    expect(await file.write(65, 1, bytes("late"))).toBe(false);
    expect(text(await file.read())).toBe("two");
  });

  it("has one winner among racers, and leaves one file", async () => {
    const directory = join(root, String(++made));
    const won = await Promise.all([..."abcdefgh"].map((t) => versionedFile(directory, "x").write(1, 0, bytes(t))));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(text(await versionedFile(directory, "x").read())).toBe("abcdefgh"[won.indexOf(true)]);
    expect(readdirSync(directory)).toEqual(["x.1"]);
  });

  it("does not mistake its neighbours for versions of its own", async () => {
    const directory = join(root, String(++made));
    await versionedFile(directory, "slot-1").write(7, 0, bytes("seven"));
    await versionedFile(directory, "slot-11").write(9, 0, bytes("nine"));
    expect(text(await versionedFile(directory, "slot-1").read())).toBe("seven");
    expect(await versionedFile(directory, "slot").read()).toBeNull();
  });

  it("keeps the highest version through a hundred rounds of racing", async () => {
    const directory = join(root, String(++made));
    let wins = 0;
    const racer = async () => {
      const file = versionedFile(directory, "n");
      while ((((await file.read())?.version ?? 0) as number) < 100) {
        const standing = (await file.read())?.version ?? 0;
        if (await file.write(standing + 1, standing, bytes(String(standing + 1)))) wins++;
      }
    };
    await Promise.all([racer(), racer(), racer()]);
    const found = await versionedFile(directory, "n").read();
    expect(Number(text(found))).toBe(found?.version);
    expect(wins).toBe(found?.version);
  });
});
