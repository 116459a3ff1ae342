import type { OffsetMap } from "../../../lib/checkpoint/offsets.js";
import { forgetShards, MAX_RUNS, recordUpdates } from "../../../lib/checkpoint/offsets.js";
import { NO_REGISTERS, type Registers } from "../../../lib/checkpoint/registers.js";
import type {
  EntryDraft,
  PartitionPosition,
  Publisher,
  StagedState,
  StatePartition,
} from "../../../lib/checkpoint/state-partition.js";
import type { OutboxPart, PublishIdentity } from "../../../lib/sinks/sink.js";
import { memoryState } from "../../../lib/state/staged-state.js";
import { NO_WATERMARK } from "../../../lib/time/event-time.js";

export interface FaultyPartition extends StatePartition {
  readonly published: number[];
  readonly commits: EntryDraft[];
  /** The next commits lose, after the state moved as the function says. */
  loseNext: (() => void)[];
}

/** A state partition without a checkpoint, for tests of what the runtime makes of its answers. */
export function memoryPartition(query = "q"): FaultyPartition {
  const state = memoryState();
  const pending: { identity: PublishIdentity; parts: readonly OutboxPart[] }[] = [];
  const progress: unknown[] = [];
  const staged = new Map<unknown, readonly OutboxPart[]>();
  let position: PartitionPosition = {
    version: 0,
    offsets: new Map() as OffsetMap,
    registers: NO_REGISTERS,
    lastPassWatermark: NO_WATERMARK,
    watermark: NO_WATERMARK,
  };
  const self: FaultyPartition = {
    published: [],
    commits: [],
    loseNext: [],
    load: async () => ({ coldStart: position.version === 0 }),
    position: () => position,
    stage: () => state.stage(),
    newOutbox() {
      const parts: OutboxPart[] = [];
      const outbox = { add: async (more: readonly OutboxPart[]) => void parts.push(...more) };
      staged.set(outbox, parts);
      return outbox;
    },
    async commit(draft: EntryDraft, overlay: StagedState) {
      const lost = self.loseNext.shift();
      if (lost !== undefined) {
        lost();
        return "conflict";
      }
      state.commit(overlay as ReturnType<typeof state.stage>);
      const { lastPassWatermark, watermark } = draft;
      const batchId = position.version + 1;
      const moved = recordUpdates(position.offsets, draft.offsets, MAX_RUNS);
      const offsets = forgetShards(moved, Object.keys(draft.registers.retired));
      const registers = JSON.parse(JSON.stringify(draft.registers)) as Registers;
      position = { version: batchId, offsets, registers, lastPassWatermark, watermark };
      pending.push({ identity: { query, incarnation: "1", partition: 0, batchId }, parts: staged.get(draft.outbox)! });
      progress.push(draft.progress);
      self.commits.push(draft);
      return "committed";
    },
    async publish(publisher: Publisher) {
      while (pending.length > 0) {
        const { identity, parts } = pending[0]!;
        for (const part of parts) await publisher(identity, [part]);
        self.published.push(identity.batchId);
        pending.shift();
      }
    },
    recentProgress: async () => progress,
  };
  return self;
}
