import { startStack } from "../../../lib/local/stack.js";

/** A stack that keeps its data, in a process of its own that a test will kill: `stack-host.ts DIR` prints its endpoints. */
const { endpoints } = await startStack({ dataDir: process.argv[2]! });
process.stdout.write(`${JSON.stringify(endpoints)}\n`);
