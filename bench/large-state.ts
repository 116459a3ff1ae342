import type { StatePartition } from "../lib/checkpoint/state-partition.js";
import { seededRandom } from "../lib/local/seeded-random.js";
import { heapUsed } from "./collect-garbage.js";
import { type Figure, median } from "./figure.js";
import { closeWindow, commit, count, fill, type Groups, KEYS, stateWorld } from "./state-world.js";

/** Of one of 64 partitions of a state of 41.85 M rows (DESIGN: scale). */
const PARTITION_ROWS = 654_000;
const LARGE_ROWS = 1_000_000;
const SMALL_ROWS = LARGE_ROWS / 100;
const CHANGED_ROWS = 3_000;
/** More than 16 laps of the ring: the hard limit of runs falls due within. */
const COMMITS = 130;
const LOADS = 5;

export async function largeState(): Promise<readonly Figure[]> {
  return [...(await loading()), ...(await growing()), ...(await snapshots())];
}

async function loading(): Promise<readonly Figure[]> {
  const world = stateWorld();
  await fill(world.open(), PARTITION_ROWS);
  const times: number[] = [];
  const perRow: number[] = [];
  for (let i = 0; i < LOADS; i++) {
    const before = heapUsed();
    const start = process.cpuUsage();
    const partition = world.open();
    await partition.load();
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1e6);
    perRow.push((heapUsed() - before) / PARTITION_ROWS);
    if (partition.position().version === 0) throw new Error("Nothing was loaded.");
  }
  return [
    { name: "cold load of 654,000 rows, transfer apart, CPU", value: median(times), unit: "s", budget: 1 },
    { name: "heap per state row (count + sum, short key)", value: median(perRow), unit: "bytes", budget: 170 },
  ];
}

/** The same batch onto a state of 10,000 rows and onto one of a million. */
async function growing(): Promise<readonly Figure[]> {
  const bytes: number[] = [];
  for (const rows of [SMALL_ROWS, LARGE_ROWS]) {
    const world = stateWorld();
    const partition = world.open();
    await fill(partition, rows);
    world.sent.entryBytes = 0;
    await commit(partition, (groups) => touch(groups, seededRandom(1), () => 0));
    bytes.push(world.sent.entryBytes);
  }
  const [small, large] = bytes as [number, number];
  return [
    { name: "commit bytes of a batch that changes 3,000 of 10,000 rows", value: small, unit: "bytes", budget: null },
    { name: "  the same batch onto 1 M rows, as a ratio (flat)", value: large / small, unit: "", budget: 1.05 },
  ];
}

/** Snapshot bytes against the bytes of the changes themselves, over many laps. */
async function snapshots(): Promise<readonly Figure[]> {
  const windows = LARGE_ROWS / KEYS;
  const moving = await snapshotRatio((groups, random, batch) => {
    const newest = windows + Math.floor(batch / 10);
    if (batch % 10 === 0) closeWindow(groups, newest - windows - 1);
    touch(groups, random, () => newest - Math.floor(random() * 3));
  });
  const scattered = await snapshotRatio((groups, random) =>
    touch(groups, random, () => Math.floor(random() * windows)),
  );
  return [
    { name: "1 M rows, newest windows change: snapshot bytes / changed bytes", value: moving, unit: "", budget: 2 },
    { name: "1 M rows, rows all over the state change: the same", value: scattered, unit: "", budget: 2 },
  ];
}

async function snapshotRatio(change: (groups: Groups, random: () => number, batch: number) => void): Promise<number> {
  const world = stateWorld();
  const partition: StatePartition = world.open();
  await fill(partition, LARGE_ROWS);
  const random = seededRandom(2);
  world.sent.entryBytes = 0;
  world.sent.snapshotBytes = 0;
  for (let batch = 0; batch < COMMITS; batch++) await commit(partition, (groups) => change(groups, random, batch));
  return world.sent.snapshotBytes / world.sent.entryBytes;
}

function touch(groups: Groups, random: () => number, windowOf: () => number): void {
  for (let i = 0; i < CHANGED_ROWS; i++) {
    count(groups, windowOf(), Math.floor(random() * KEYS), Math.floor(random() * 30_000));
  }
}
