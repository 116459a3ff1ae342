import type { StatePartition } from "../lib/checkpoint/state-partition.js";
import { seededRandom } from "../lib/local/seeded-random.js";
import { heapUsed } from "./collect-garbage.js";
import { type Figure, median } from "./figure.js";
import { commit, count, fill, type Groups, KEYS, type Sent, stateWorld } from "./state-world.js";

/** Of one of 64 partitions of a state of 41.85 M rows (DESIGN: scale). */
const PARTITION_ROWS = 654_000;
const LARGE_ROWS = 1_000_000;
const SMALL_ROWS = LARGE_ROWS / 100;
const CHANGED_ROWS = 3_000;
const COMMITS = 400;
/** A trickle of changes, over so many laps that the hard limit of runs falls due. */
const TRICKLE_ROWS = 10;
const TRICKLE_COMMITS = 4_200;
const LOADS = 3;

export async function largeState(): Promise<readonly Figure[]> {
  return [...(await loading()), ...(await growing())];
}

async function loading(): Promise<readonly Figure[]> {
  const world = stateWorld();
  await fill(world.open(), PARTITION_ROWS);
  const times: number[] = [];
  const before = heapUsed();
  let heap = 0;
  for (let i = 0; i < LOADS; i++) {
    const start = process.cpuUsage();
    const partition = world.open();
    await partition.load();
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1e6);
    // Of the first alone: later ones would be weighed against the one before.
    if (i === 0) heap = heapUsed() - before;
    if (partition.position().version === 0) throw new Error("Nothing was loaded.");
  }
  return [
    { name: "cold load of 654,000 rows, transfer apart, CPU", value: median(times), unit: "s", budget: 1 },
    { name: "heap per state row (count + sum, short key)", value: heap / PARTITION_ROWS, unit: "bytes", budget: 170 },
  ];
}

/** The same batch onto a state of 10,000 rows and onto one of a million, then snapshots of the latter. */
async function growing(): Promise<readonly Figure[]> {
  const small = await filled(SMALL_ROWS);
  const large = await filled(LARGE_ROWS);
  const sameBatch = (groups: Groups) => touch(groups, CHANGED_ROWS, seededRandom(1), () => 0);
  const bytes = (await sentBy(small, 1, sameBatch)).entryBytes;
  const ratio = (await sentBy(large, 1, sameBatch)).entryBytes / bytes;
  return [
    { name: "commit bytes of a batch that changes 3,000 of 10,000 rows", value: bytes, unit: "bytes", budget: null },
    { name: "  the same batch onto 1 M rows, as a ratio (flat)", value: ratio, unit: "", budget: 1.05 },
    ...(await snapshots(large)),
  ];
}

/** Snapshot bytes against the bytes of the changes themselves, over many laps of the ring. */
async function snapshots(state: Filled): Promise<readonly Figure[]> {
  const windows = LARGE_ROWS / KEYS;
  const random = seededRandom(2);
  const anywhere = () => Math.floor(random() * windows);
  const moving = await sentBy(state, COMMITS, (groups, batch) => {
    const newest = windows - 1 + Math.floor(batch / 100);
    touch(groups, CHANGED_ROWS, random, () => newest - Math.floor(random() * 3));
  });
  const scattered = await sentBy(state, COMMITS, (groups) => touch(groups, CHANGED_ROWS, random, anywhere));
  const trickle = await sentBy(state, TRICKLE_COMMITS, (groups) => touch(groups, TRICKLE_ROWS, random, anywhere));
  const figure = (what: string, { snapshotBytes, entryBytes }: Sent): Figure => {
    const name = `snapshot bytes / changed bytes, 1 M rows: ${what}`;
    return { name, value: snapshotBytes / entryBytes, unit: "", budget: 2 };
  };
  return [
    figure("newest windows change", moving),
    figure("rows anywhere change", scattered),
    figure("10 rows a commit, anywhere", trickle),
  ];
}

interface Filled {
  readonly sent: Sent;
  readonly partition: StatePartition;
}

async function filled(rows: number): Promise<Filled> {
  const { sent, open } = stateWorld();
  const partition = open();
  await fill(partition, rows);
  return { sent, partition };
}

async function sentBy(
  { sent, partition }: Filled,
  commits: number,
  change: (groups: Groups, batch: number) => void,
): Promise<Sent> {
  const before = { ...sent };
  for (let batch = 0; batch < commits; batch++) await commit(partition, (groups) => change(groups, batch));
  return {
    entryBytes: sent.entryBytes - before.entryBytes,
    snapshotBytes: sent.snapshotBytes - before.snapshotBytes,
  };
}

function touch(groups: Groups, rows: number, random: () => number, windowOf: () => number): void {
  for (let i = 0; i < rows; i++) {
    count(groups, windowOf(), Math.floor(random() * KEYS), Math.floor(random() * 30_000));
  }
}
