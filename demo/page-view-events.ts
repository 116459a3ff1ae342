import { seededRandom } from "../lib/local/seeded-random.js";

const MINUTE = 60_000;
const PAGES = ["/", "/pricing", "/docs", "/blog", "/signup"];

export interface PageViewEvent {
  readonly eventTime: string;
  readonly page: string;
  readonly userId: string;
  readonly durationMs: number;
}

export interface PageViewOptions {
  readonly seed: number;
  readonly count: number;
  /** Epoch ms: the newest event time stays below it. */
  readonly end: number;
}

/**
 * Page views as a phone network delivers them: mostly seconds late, 2 % up to eight minutes late (counted under a 10-minute
 * delay), 0.5 % twenty to forty minutes late (caught), and 1 % sent twice by a retrying producer.
 */
export function* pageViewEvents({ seed, count, end }: PageViewOptions): Generator<PageViewEvent> {
  const random = seededRandom(seed);
  const step = (90 * MINUTE) / count;
  for (let i = 0; i < count; i++) {
    const sent = end - (count - i) * step;
    const event = {
      eventTime: new Date(Math.floor(sent - lateness(random))).toISOString(),
      page: PAGES[Math.floor(random() * random() * PAGES.length)]!,
      userId: `u${Math.floor(random() * 500)}`,
      durationMs: Math.floor(random() * 30_000),
    };
    yield event;
    if (random() < 0.01) yield event;
  }
}

function lateness(random: () => number): number {
  const luck = random();
  if (luck < 0.005) return (20 + random() * 20) * MINUTE;
  if (luck < 0.025) return random() * 8 * MINUTE;
  return random() * 15_000;
}
