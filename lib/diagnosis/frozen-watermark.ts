import type { InputWatermark } from "../runtime/input-watermarks.js";
import type { QueryProgress } from "../runtime/progress.js";
import type { Finding, Signature, Symptoms } from "./finding.js";
import { at, instantMs, MINUTE, span } from "./history.js";
import { REMEDIES } from "./remedies.js";

/** One batching window beyond the delay is patience enough: an input that is merely slow has been read by then. */
const PATIENCE_MS = MINUTE;

/** Held back by one and the same for longer than its own delay and a batching window, up to now. */
export function frozenWatermark({ progress, now }: Symptoms): readonly Finding[] {
  const last = progress.at(-1)!;
  const holder = last.heldBackBy;
  if (holder === null) return [];
  let first = progress.length - 1;
  while (first > 0 && progress[first - 1]!.heldBackBy === holder) first--;
  const held = now - at(progress[first]!);
  const [source] = split(holder);
  const delayMs = last.watermarks?.find((each) => each.source === source)?.delayMs ?? 0;
  if (held <= delayMs + PATIENCE_MS) return [];
  const { signature, why } = cause(progress.slice(first), holder, now);
  const watermark = last.eventTime.watermark;
  return [
    {
      signature,
      severity: "error",
      subject: holder,
      evidence: `${holder} has held the watermark back for ${span(held)}${watermark === null ? "" : `, it stands at ${watermark}`}: ${why}.`,
      remedy: REMEDIES[signature],
    },
  ];
}

/** `source/shard`; a shard's name may hold a slash, a source's name too, so the known sources are not asked: the last one parts them. */
const split = (holder: string): [source: string, shard: string] => {
  const slash = holder.lastIndexOf("/");
  return [holder.slice(0, slash), holder.slice(slash + 1)];
};

interface Cause {
  readonly signature: Signature;
  readonly why: string;
}

function cause(held: readonly QueryProgress[], holder: string, now: number): Cause {
  const [source, shard] = split(holder);
  const inputOf = (progress: QueryProgress) => progress.watermarks?.find((each) => each.source === source);
  const readThrough = (progress: QueryProgress): number | null => {
    const input = inputOf(progress);
    return instantMs(shard === "*" ? input?.readThrough : input?.shards[shard]?.readThrough);
  };
  const input = inputOf(held.at(-1)!);
  const [before, after] = [readThrough(held[0]!), readThrough(held.at(-1)!)];
  const silent = isSilent(held, holder);
  if (silent && input?.watermark === null && !isWaitedFor(input))
    return { signature: "idle-input", why: "it never had a row" };
  const age = after === null ? "" : `, what arrived up to ${span(now - after)} ago is read`;
  if (!silent) return { signature: "lagging-shard", why: `it is read, but its events are behind the others'${age}` };
  const looked = before !== null && after !== null && after > before;
  if (looked || !isWaitedFor(input))
    return { signature: "idle-input", why: `it had no new record, while the others go on${age}` };
  return { signature: "failing-shard", why: `none of its records is read, while the others' are${age}` };
}

/** The source's shards have shown more than it may use: one of them, which ticks would have found empty, is waited for. */
function isWaitedFor(input: InputWatermark | undefined): boolean {
  if (input === undefined || !input.probed) return false;
  const shown = Object.values(input.shards).map(({ watermark }) => instantMs(watermark) ?? Number.NEGATIVE_INFINITY);
  return Math.max(...shown) > (instantMs(input.watermark) ?? Number.NEGATIVE_INFINITY);
}

/** No batch consumed a record of it. */
function isSilent(held: readonly QueryProgress[], holder: string): boolean {
  const [source, shard] = split(holder);
  const mine = (key: string) => (shard === "*" ? key.startsWith(`${source}/`) : key === holder);
  return !held.slice(1).some(({ sources }) => sources.some(({ endOffset }) => Object.keys(endOffset).some(mine)));
}
