/** What tests of queries need: scripts of actions, a clock that stands still, and the memory twins of everything that touches the world. */

export { memoryCheckpointLog } from "./checkpoint/memory-checkpoint-log.js";
export { memoryObjectStore } from "./checkpoint/memory-object-store.js";
export { type MemorySink, memorySink, type PublishedBatch } from "./sinks/memory-sink.js";
export { type MemoryShard, type MemoryShardLister, memoryShardLister } from "./sources/memory-shard-lister.js";
export {
  addData,
  advanceTime,
  checkFails,
  crashAfter,
  drain,
  restart,
  type SendOptions,
  type StreamAction,
  tick,
} from "./testing/actions.js";
export {
  checkAnswer,
  checkNewAnswer,
  checkNewLate,
  checkNewMalformed,
  checkProgress,
} from "./testing/checks.js";
export type { CrashStep } from "./testing/crash.js";
export { type ManualClock, manualClock } from "./testing/manual-clock.js";
export type { InputRow, RawPayload } from "./testing/sent-rows.js";
export type { TestBench } from "./testing/test-bench.js";
export { type TestOptions, testStream } from "./testing/test-stream.js";
