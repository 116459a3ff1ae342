import { readFileSync } from "node:fs";

const PAGE_BYTES = 4_096;
const QUARTERS = 4;
/** Of the last quarter over the higher of the two before; the first is warm-up, and collection is lazy. */
const FLAT_WITHIN = 1.25;

export interface MemorySamples {
  stop(): { readonly quarterMb: readonly number[]; readonly flat: boolean };
}

/** Resident memory of one process that is left alive, by quarters of the soak (medians). */
export function sampleMemory(pid: () => number | null, everyMs: number): MemorySamples {
  const samples: number[] = [];
  const timer = setInterval(() => {
    const process = pid();
    if (process === null) return;
    try {
      samples.push(Number(readFileSync(`/proc/${process}/statm`, "utf8").split(" ")[1]) * PAGE_BYTES);
    } catch {
      // It has just ended.
    }
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      const size = Math.max(1, Math.floor(samples.length / QUARTERS));
      const quarterMb = Array.from({ length: QUARTERS }, (_, quarter) => {
        const sorted = samples.slice(quarter * size, (quarter + 1) * size).sort((a, b) => a - b);
        return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) / 1_048_576);
      });
      return { quarterMb, flat: quarterMb[3]! <= Math.max(quarterMb[1]!, quarterMb[2]!) * FLAT_WITHIN };
    },
  };
}
