import { Buffer } from "node:buffer";
import type { FileColumns } from "./files.js";

const SAMPLED = 1000;

/** What stands for a header in JSON lines: the names in the first records, told once, when so many were seen or there are no more. */
export function memberSample(path: string, declared: readonly string[], tell: (columns: FileColumns) => void) {
  const found = new Set<string>();
  let sampled = 0;
  const end = (): void => {
    if (sampled > 0 && sampled <= SAMPLED)
      tell({ path, found: [...found], missing: declared.filter((name) => !found.has(name)), sampled });
    sampled = SAMPLED + 1;
  };
  return {
    isOpen: (): boolean => sampled < SAMPLED,
    see(line: Uint8Array): void {
      sampled++;
      for (const name of namesIn(line)) found.add(name);
      if (sampled === SAMPLED) end();
    },
    end,
  };
}

function namesIn(line: Uint8Array): readonly string[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(line).toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
  } catch {
    return [];
  }
}
