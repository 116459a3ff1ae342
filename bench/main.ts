import { throughput } from "./throughput.js";

const { floorMicrosPerRow, batchMicrosPerRow, ratio } = await throughput();
console.log(`base64 + JSON.parse alone             ${floorMicrosPerRow.toFixed(2)} µs/row`);
console.log(`windowed count + sum, whole batch     ${batchMicrosPerRow.toFixed(2)} µs/row`);
console.log(`ratio                                 ${ratio.toFixed(2)}   (budget 1.50)`);
