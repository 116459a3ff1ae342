import { backfill } from "./backfill.js";
import { largeState } from "./large-state.js";
import { matrix } from "./matrix.js";
import { stateHeap } from "./state-heap.js";
import { throughput } from "./throughput.js";

/** A section that measures time or memory, alone in a process and bundled as a function is: prints its figures as JSON. */
const sections: Readonly<Record<string, typeof throughput>> = {
  throughput,
  matrix,
  "large-state": largeState,
  "state-heap": stateHeap,
  backfill: () => backfill(process.argv[3] ?? ""),
};

console.log(JSON.stringify(await sections[process.argv[2] ?? ""]!()));
