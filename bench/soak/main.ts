import { fileURLToPath } from "node:url";
import { s3ObjectStore } from "../../lib/checkpoint/s3-object-store.js";
import { bundleToTemporaryFile } from "../../lib/cli/bundle.js";
import { type ChildEnvironment, childEnvironment } from "../../lib/local/child-environment.js";
import { createQueryResources, deployQuery } from "../../lib/local/deployment.js";
import { startFaultProxy } from "../../lib/local/fault-proxy.js";
import { functionPool } from "../../lib/local/function-pool.js";
import { seededRandom } from "../../lib/local/seeded-random.js";
import { startStack } from "../../lib/local/stack.js";
import { endpointVariables } from "../../lib/local/stack-clients.js";
import { commandLine, refuse, wholeNumber } from "../../test/command-line.js";
import { bruteForce } from "./brute-force.js";
import { followCommittedOrder } from "./committed-order.js";
import { FAULTS, startDisorder } from "./disorder.js";
import { sampleMemory } from "./memory.js";
import { readPublished } from "./published.js";
import { report } from "./report.js";
import { sendTraffic } from "./traffic.js";

const USAGE = `
Traffic on the embedded stack, with kills and faults; then three accounts that must agree.

  npm run soak -- --minutes 5 --shards 2 [--seed 1]

Exit codes: 0 the accounts agree, 1 they do not, 2 the command line is wrong.
`;
const { values } = commandLine(USAGE, {
  minutes: { type: "string", default: "5" },
  shards: { type: "string", default: "2" },
  seed: { type: "string", default: "1" },
});
const minutes = Number(values.minutes);
if (!(minutes > 0 && minutes < Number.POSITIVE_INFINITY))
  refuse(`--minutes takes a number above 0, not '${values.minutes}'`);
const shards = wholeNumber("--shards", values.shards, 1);
const seed = wholeNumber("--seed", values.seed);

const stack = await startStack();
const bundle = await bundleToTemporaryFile(fileURLToPath(new URL("query.ts", import.meta.url)));
const dynamodb = await startFaultProxy({ target: stack.endpoints.dynamodb, seed, rules: FAULTS });
const s3 = await startFaultProxy({ target: stack.endpoints.s3, seed: seed + 1, rules: FAULTS });
const variables = {
  ...(await createQueryResources(stack, { table: "checkpoint", bucket: "data" })),
  ...endpointVariables({ ...stack.endpoints, dynamodb: dynamodb.endpoint, s3: s3.endpoint }),
};
const pool = functionPool(
  (): ChildEnvironment =>
    childEnvironment({ handlerFile: bundle.file, variables, timeoutMs: 15_000, onOutput: () => {} }),
  { concurrency: shards + 2 },
);
await stack.createStream("readings", shards);
const deployment = await deployQuery({
  stack,
  name: "soak",
  streams: ["readings"],
  function: pool,
  mapping: { batchSize: 100, pollMs: 100, backoffMs: 50 },
  tickMs: 5_000,
});
try {
  const order = followCommittedOrder(stack.clients.dynamodb, "checkpoint", "soak");
  const disorder = startDisorder(pool.environments, seededRandom(seed + 2));
  const memory = sampleMemory(() => pool.environments[0]?.pid() ?? null, 500);
  const client = stack.clients.kinesis;
  const sent = await sendTraffic({ client, stream: "readings", minutes, shards, random: seededRandom(seed + 3) });
  await disorder.stop();
  for (const proxy of [dynamodb, s3]) proxy.setRules([]);
  await deployment.whenCaughtUp();
  await deployment.drain();
  const entries = await order.stop();
  const { table, failures } = report({
    sent: sent.length,
    entries,
    expected: bruteForce(entries, sent),
    published: await readPublished(s3ObjectStore(stack.clients.s3, "data"), "soak", order.incarnation()),
    disorder: disorder.counts,
    processes: pool.environments.reduce((sum, environment) => sum + environment.starts(), 0),
    faults: dynamodb.struck() + s3.struck(),
    memory: memory.stop(),
  });
  console.log(table);
  for (const failure of failures) console.log(`FAILED: ${failure}`);
  console.log(failures.length === 0 ? "The accounts agree." : "The accounts do not agree.");
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  await deployment.stop();
  await Promise.all([dynamodb.stop(), s3.stop()]);
  await stack.stop();
  await bundle.remove();
}
