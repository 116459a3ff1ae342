import { DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, expect, test } from "vitest";
import { s3ObjectStore } from "../../lib/checkpoint/s3-object-store.js";
import { queryHandler } from "../../lib/lambda/query-handler.js";
import {
  inProcessEnvironment,
  type LambdaEnvironment,
  type LambdaHandler,
} from "../../lib/local/lambda-environment.js";
import { readings } from "./queries.js";
import { type FaultWorld, groupsOf, put, someReadings, startFaultWorld } from "./support.js";

let world: FaultWorld;
afterEach(() => world?.stop());

/** The procedure of docs/operations.md. */
test("a reset by the book counts everything again in a new incarnation, whatever a process of before still does", async () => {
  world = await startFaultWorld(2);
  const sleepers: LambdaEnvironment[] = [];
  const environment = () => {
    const made = inProcessEnvironment(queryHandler(readings()) as unknown as LambdaHandler);
    sleepers.push(made);
    return made;
  };
  const first = await world.deploy(readings(), { environment });
  const { payloads, groups } = someReadings(0, 200);
  await put(world.stack, payloads);
  await first.whenCaughtUp();
  await first.drain();
  const incarnations = async () => {
    const objects = s3ObjectStore(world.stack.clients.s3, "data");
    const found = new Set<string>();
    for await (const { key } of objects.list("out/counting/")) found.add(key.split("/")[2]!);
    return [...found].sort();
  };
  expect(await incarnations()).toHaveLength(1);

  // 1: mapping and tick off. 2: the meta item. 3: a new version. 4: a new mapping, from the beginning.
  await first.stop();
  const Key = { pk: { S: "counting" }, sk: { S: "meta" } };
  await world.stack.clients.dynamodb.send(new DeleteItemCommand({ TableName: "checkpoint", Key }));
  process.env["TIDEMARK_GENERATION"] = "2";
  const second = await world.deploy(readings());
  await second.whenCaughtUp();
  // Sleepers of the old version wake: they know the old incarnation, and stay in it.
  for (const sleeper of sleepers) await sleeper.invoke({ tidemark: "tick" }).catch(() => {});
  await second.drain();

  const [before, after] = await incarnations();
  expect(after! > before!).toBe(true);
  for (const incarnation of [before, after])
    expect(groupsOf(await world.output(`counting/${incarnation}`))).toEqual(groups);
});
