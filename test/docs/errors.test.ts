import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ALL_REFUSALS } from "../../lib/plan/refusals-table.js";

const ROOT = join(import.meta.dirname, "../..");

const FAULT = { userError: "yours", externalError: "a service's", internalError: "ours", changed: "yours" } as const;

/** Code → whose fault, as the source throws it. */
function thrown(): ReadonlyMap<string, string> {
  const codes = new Map<string, string>(ALL_REFUSALS.map(([code]) => [code, "yours"]));
  const files = ["lib", "infra"].flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: "utf8" }).map((name) => join(ROOT, room, name)),
  );
  for (const name of files) {
    if (!name.endsWith(".ts")) continue;
    const text = readFileSync(name, "utf8");
    for (const [, by, code] of text.matchAll(/\b(userError|externalError|internalError|changed)\(\s*"([a-z0-9-]+)"/g))
      codes.set(code!, FAULT[by as keyof typeof FAULT]);
  }
  return codes;
}

const documented = [
  ...readFileSync(join(ROOT, "docs/errors.md"), "utf8").matchAll(/^\| `([a-z0-9-]+)` \|(.*)\|$/gm),
].map(([, code, rest]) => {
  const [fault, retry, meaning, remedy] = rest!.split(/(?<!\\)\|/).map((cell) => cell.trim());
  return { code: code!, fault, retry, meaning, remedy };
});

describe("docs/errors.md", () => {
  const codes = thrown();

  it("has every code that lib and infra can throw, once, in order, and no other", () => {
    expect(documented.map(({ code }) => code)).toEqual([...codes.keys()].sort());
  });

  it("says whose fault each is as the source does, and that services alone are worth a retry", () => {
    for (const { code, fault, retry } of documented)
      expect([code, fault, retry]).toEqual([code, codes.get(code), fault === "a service's" ? "yes" : "no"]);
  });

  it("says what each means and what to do", () => {
    for (const { code, meaning, remedy } of documented) {
      expect(meaning, code).toMatch(/\w.*[.!?)…]$/);
      expect(remedy, code).toMatch(/\w.*[.!?)…]$/);
    }
  });
});
