import { labelOf, type SimRecord } from "./stream.js";
import type { World } from "./world.js";

const KEYS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const FEW_KEYS = 3;

/** A few records into one shard, event times a little out of order; some again, some broken, some heartbeats. */
export function produce({ choices, clock, stream, trace, producer, config }: World): void {
  const open = stream.open();
  const shard = open[choices.pick(open.length)]!;
  const keys = config.paceMs < 1_000 ? KEYS.length : FEW_KEYS;
  const count = 1 + choices.pick(4);
  for (let i = 0; i < count; i++) {
    const gap = 1 + choices.pick(5);
    if (config.kpl && choices.chance(0.4))
      stream.putAggregate(
        shard,
        Array.from({ length: [2, 3, 4, 5, 0][choices.weighted([30, 30, 20, 20, 3])]! }, content),
        clock.time,
        gap,
      );
    else stream.put(shard, content(), clock.time, gap);
  }
  trace(`${count} records into ${labelOf(shard)}`);

  function content(): SimRecord["content"] {
    producer.time += choices.pick(4) * config.paceMs;
    const t = producer.time - choices.pick(6) * 3_000;
    switch (choices.weighted([85, 8, 4, 3])) {
      case 1:
        if (producer.last !== null) return producer.last;
        break;
      case 2:
        return { malformed: "{" };
      case 3:
        return { heartbeat: producer.time };
    }
    const id = ++producer.ids;
    const poison = config.scenario.poison !== undefined && choices.chance(0.06);
    producer.last = { row: { id: poison ? -id : id, t, k: KEYS[choices.pick(keys)]! } };
    return producer.last;
  }
}
