import { throughput } from "./throughput.js";

const { floorMicrosPerRow, engineMicrosPerRow, batchMicrosPerRow } = await throughput();
const line = (what: string, micros: number) =>
  console.log(
    `${what.padEnd(58)} ${micros.toFixed(2).padStart(6)} µs/row   ratio ${(micros / floorMicrosPerRow).toFixed(2)}`,
  );
line("base64 + JSON.parse alone", floorMicrosPerRow);
line("windowed count + sum, event to windows (budget 1.50)", engineMicrosPerRow);
line("whole micro-batch: + staging, commit, publication", batchMicrosPerRow);
