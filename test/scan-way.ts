import { seededRandom } from "../lib/local/seeded-random.js";

/** How a campaign's payloads become columns: scanned, by the row decoder, or either at random. No answer may depend on it. */
export const SCAN_WAYS = ["on", "off", "random"] as const;
export type ScanWay = (typeof SCAN_WAYS)[number];

/** For the options of an opened query. */
export function scanOptions(way: ScanWay, seed: number): { readonly declines?: () => boolean } {
  if (way === "on") return {};
  if (way === "off") return { declines: () => true };
  const random = seededRandom(seed);
  return { declines: () => random() < 0.5 };
}

/** Each way in turn. */
export const scanWayOf = (seed: number): ScanWay => SCAN_WAYS[seed % SCAN_WAYS.length]!;
