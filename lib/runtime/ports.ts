import type { OutputName, OutputSinks, Sink } from "../sinks/sink.js";
import type { ShardLister } from "../sources/shard-lister.js";
import type { RowDecoder } from "../sources/source.js";
import type { Clock } from "./clock.js";
import type { QueryIdleEvent, StreamingQueryListener } from "./listener.js";
import type { QueryProgress } from "./progress.js";

/** What a composition root gives a query: all of the world that it touches, its partitions apart. */
export interface RuntimePorts {
  /** By source name. */
  readonly decoders: ReadonlyMap<string, RowDecoder>;
  /** By source name; a source without one has the shards that it was seen to have. */
  readonly shardListers: ReadonlyMap<string, ShardLister>;
  /** Late rows and malformed records go to sinks of their own, or to the same one. */
  readonly sinks: OutputSinks;
  /**
   * Opens a sink that the query no longer writes to by its target: what was committed for it is published there.
   * Null, or absent: it cannot be opened here.
   */
  readonly formerSink?: (target: string, output: OutputName) => Promise<Sink | null>;
  readonly clock: Clock;
  /** In [0, 1): jitter between repeats, nothing that shows in a result. */
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** One JSON-able record per micro-batch. */
  readonly onProgress: (progress: QueryProgress) => void;
  /** A tick that had nothing to commit. */
  readonly onIdle?: (event: QueryIdleEvent) => void;
  readonly listeners?: readonly StreamingQueryListener[];
  /** What a listener threw; the query goes on. */
  readonly onListenerError?: (error: unknown) => void;
}

/** When an invocation ends, and how much of it endPass, stage, commit and publish must be left. */
export interface Deadline {
  /** Epoch ms. */
  readonly at: number;
  readonly reserveMs: number;
}
