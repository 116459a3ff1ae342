import { seededRandom } from "../../../lib/local/seeded-random.js";

/** What kind of world a seed makes; the decisions within it are `Choices`. */
export interface StagesConfig {
  /** N. */
  readonly partitions: number;
  readonly shards: number;
  readonly shuffleShards: number;
  readonly ringSize: number;
  readonly environments: number;
  /** Per conditional write: a response lost, a retry refused. */
  readonly lost: number;
  /** Per read, upload, put or list. */
  readonly failed: number;
  /** Of all steps: kills, and freezes of an invocation that somebody else repeats meanwhile. */
  readonly crash: number;
  readonly reshard: boolean;
  readonly reshardShuffle: boolean;
  readonly deploy: boolean;
  /** One record that the shuffle stream has acknowledged is never delivered. */
  readonly loses: boolean;
  /** Rows in one part of an entry. */
  readonly partRows: number;
  /** Records of an incarnation before come into the shuffle stream. */
  readonly strays: boolean;
  readonly steps: number;
}

export function stagesConfigOf(seed: number): StagesConfig {
  const random = seededRandom(seed * 6151 + 29);
  const one = <T>(...choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
  return {
    partitions: one(2, 2, 3, 5),
    shards: one(1, 2, 2, 3),
    shuffleShards: one(1, 2, 2),
    ringSize: one(2, 3, 8, 64),
    environments: one(1, 2, 3, 4),
    lost: one(0, 0, 0.04, 0.12),
    failed: one(0, 0, 0.02, 0.06),
    crash: one(0, 0.01, 0.03),
    reshard: random() < 0.6,
    reshardShuffle: random() < 0.3,
    deploy: random() < 0.3,
    loses: random() < 0.15,
    partRows: one(1, 2, 10_000),
    strays: random() < 0.2,
    steps: one(150, 300, 500),
  };
}
