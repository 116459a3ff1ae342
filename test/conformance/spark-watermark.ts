import type { WatermarkPolicy } from "../../lib/plan/logical-plan.js";
import type { WatermarkNodeInfo } from "../../lib/planner/physical-query.js";
import type { EventTime } from "../../lib/time/event-time.js";
import { isoTime } from "../../lib/time/iso-time.js";
import { advanceGlobal, advanceNode } from "../../lib/time/watermark.js";

/** What a node saw in one batch, as Spark counts it: whole milliseconds, a NULL time as the epoch (SEMANTICS A7, A8). */
class NodeStatistics {
  count = 0;
  max = 0;
  min = 0;
  avg = 0;

  add(eventTime: EventTime | null): void {
    const ms = Math.floor(eventTime ?? 0);
    this.max = this.count === 0 ? ms : Math.max(this.max, ms);
    this.min = this.count === 0 ? ms : Math.min(this.min, ms);
    this.count++;
    this.avg += (ms - this.avg) / this.count;
  }
}

/** Spark's own bookkeeping where Tidemark's differs on purpose: it starts at 1970 and forgets nodes at a restart (SEMANTICS 0.4-0.6). */
export class SparkWatermark {
  global = 0;
  /** What the last committed batch ran with. */
  last = 0;
  private perNode = new Map<string, number>();
  private batch = new Map<string, NodeStatistics>();

  restart(): void {
    this.perNode = new Map();
  }

  beginBatch(): void {
    this.batch = new Map();
  }

  observe(nodeId: string, eventTime: EventTime | null): void {
    let statistics = this.batch.get(nodeId);
    if (statistics === undefined) {
      statistics = new NodeStatistics();
      this.batch.set(nodeId, statistics);
    }
    statistics.add(eventTime);
  }

  /** `eventTime` of the batch's progress: of the first node that saw a row. */
  report(nodes: readonly WatermarkNodeInfo[]): Record<string, string> {
    if (nodes.length === 0) return {};
    const first = nodes.map(({ id }) => this.batch.get(id)).find((statistics) => statistics !== undefined);
    const times =
      first === undefined
        ? {}
        : { max: isoTime(first.max), min: isoTime(first.min), avg: isoTime(Math.trunc(first.avg)) };
    return { ...times, watermark: isoTime(this.global) };
  }

  /** After a batch is committed. A node that saw nothing in this run counts as 1970 (SEMANTICS B1). */
  commit(nodes: readonly WatermarkNodeInfo[], policy: WatermarkPolicy): void {
    this.last = this.global;
    if (nodes.length === 0) return;
    for (const { id, delayMs } of nodes) {
      const statistics = this.batch.get(id);
      const before = this.perNode.get(id) ?? (statistics === undefined ? 0 : Number.NEGATIVE_INFINITY);
      this.perNode.set(id, statistics === undefined ? before : advanceNode(before, statistics.max, delayMs));
    }
    this.global = advanceGlobal(this.global, policy, [...this.perNode.values()]);
  }
}
