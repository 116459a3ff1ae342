import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

const ALLOWED = ["Apache-2.0", "MIT", "MIT-0", "BSD-3-Clause", "0BSD", "ISC"];

it("depends in production, indirectly too, only on what its licence may stand beside", () => {
  const production = Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true);
  expect(production.length).toBeGreaterThan(20);
  expect(production.filter(([, { license }]) => !ALLOWED.includes(license ?? "")).map(([path]) => path)).toEqual([]);
});

it("names each of its dependencies in the security page", () => {
  const page = readFileSync("docs/security.md", "utf8");
  const missing = Object.keys(packages[""]!.dependencies!).filter((name) => {
    const last = name.split("/").at(-1)!;
    return !page.includes(name) && !page.includes(last);
  });
  expect(missing).toEqual([]);
});
