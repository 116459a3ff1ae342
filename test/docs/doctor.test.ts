import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { REMEDIES } from "../../lib/diagnosis/remedies.js";

it("docs/doctor.md lists each signature once, with the remedy that the code gives", () => {
  const page = readFileSync("docs/doctor.md", "utf8");
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| .+ \| (.+) \|$/gm)].map(([, signature, remedy]) => [
    signature,
    remedy,
  ]);
  expect(Object.fromEntries(rows)).toEqual(REMEDIES);
  expect(rows).toHaveLength(Object.keys(REMEDIES).length);
});
