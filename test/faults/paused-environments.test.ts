import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { bundleToTemporaryFile, type TemporaryBundle } from "../../lib/cli/bundle.js";
import { type ChildEnvironment, childEnvironment, type FrozenEnvironment } from "../../lib/local/child-environment.js";
import { readings } from "./queries.js";
import { type FaultWorld, groupsOf, put, someReadings, startFaultWorld } from "./support.js";

let world: FaultWorld;
let bundle: TemporaryBundle;
const children: ChildEnvironment[] = [];

beforeAll(async () => {
  bundle = await bundleToTemporaryFile(fileURLToPath(new URL("functions/counting.ts", import.meta.url)));
});
afterAll(() => bundle.remove());
afterEach(async () => {
  await Promise.all(children.splice(0).map((child) => child.stop()));
  await world?.stop();
});

const child = (generation: () => number): ChildEnvironment => {
  const made = childEnvironment({
    handlerFile: bundle.file,
    variables: {
      ...world.variables,
      // Read at each start of a process: the next one may be of newer code.
      get TIDEMARK_GENERATION() {
        return String(generation());
      },
    },
    timeoutMs: 20_000,
    onOutput: () => {},
  });
  children.push(made);
  return made;
};

/** Freezes the function's first process while its first commit is under way; others take the records up meanwhile. */
async function freezeAmidCommit(generation: () => number) {
  world = await startFaultWorld(1);
  let frozen: FrozenEnvironment | null = null;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  world.proxies.dynamodb.setRules([
    {
      operation: "PutItem",
      times: 1,
      // The first commit, not the meta item: it arrives long after another's.
      when: ({ body }) => {
        if (!body.includes('"slot#1"')) return false;
        frozen = children[0]!.freeze();
        return true;
      },
      fault: { until: released },
    },
  ]);
  const deployment = await world.deploy(readings(), { environment: () => child(generation), environments: 2 });
  const { payloads, groups } = someReadings(0, 100);
  await put(world.stack, payloads);
  await deployment.whenCaughtUp();
  expect(frozen).not.toBeNull();
  release();
  return { deployment, groups, frozen: frozen! as FrozenEnvironment };
}

test("a process that is paused amid its commit, and resumes when another has taken over, loses the race and adds nothing", async () => {
  const { deployment, groups, frozen } = await freezeAmidCommit(() => 1);
  const before = await world.committed("counting");
  expect(before.at(-1)).toBeGreaterThan(0);
  // Its put fails; it applies the winner's entry, finds every record consumed, and reports success.
  await expect(frozen.thaw()).resolves.toEqual({ batchItemFailures: [] });
  expect(await world.committed("counting")).toEqual(before);
  await deployment.drain();
  expect(groupsOf(await world.output("counting"))).toEqual(groups);
});

test("a process of old code that resumes after new code took over is superseded and writes nothing", async () => {
  let generation = 1;
  const { deployment, groups, frozen } = await freezeAmidCommit(() => generation++);
  const before = await world.committed("counting");
  await expect(frozen.thaw()).rejects.toThrow("superseded");
  expect(await world.committed("counting")).toEqual(before);
  await deployment.drain();
  expect(groupsOf(await world.output("counting"))).toEqual(groups);
});
