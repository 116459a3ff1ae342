import { fileURLToPath } from "node:url";
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead } from "hyparquet";
import { compressors } from "hyparquet-compressors";

/** US flights of January to June 2001 as columns: as objects the 3 M rows would take 900 MB, so they take 50 MB. */
export interface FlightTable {
  readonly count: number;
  /** Scheduled departure, epoch minutes. */
  readonly scheduled: Int32Array;
  /** Minutes; negative is early. */
  readonly delay: Int16Array;
  readonly distance: Int16Array;
  readonly origin: Uint16Array;
  readonly destination: Uint16Array;
  readonly airports: readonly string[];
}

/** The package exports its code alone; its data folder lies beside it. */
const FILE = fileURLToPath(new URL("../data/flights-3m.parquet", import.meta.resolve("vega-datasets")));

/** The first `limit` rows by scheduled date, read one row group at a time. */
export async function readFlights(limit = Number.POSITIVE_INFINITY): Promise<FlightTable> {
  const file = await asyncBufferFromFile(FILE);
  const metadata = await parquetMetadataAsync(file);
  const count = Math.min(limit, Number(metadata.num_rows));
  const table = {
    count,
    scheduled: new Int32Array(count),
    delay: new Int16Array(count),
    distance: new Int16Array(count),
    origin: new Uint16Array(count),
    destination: new Uint16Array(count),
  };
  const airports = new Map<string, number>();
  const airport = (name: string) => {
    const known = airports.get(name);
    if (known !== undefined) return known;
    airports.set(name, airports.size);
    return airports.size - 1;
  };

  let start = 0;
  for (const group of metadata.row_groups) {
    if (start >= count) break;
    const end = Math.min(count, start + Number(group.num_rows));
    const base = start;
    await parquetRead({
      file,
      metadata,
      compressors,
      rowStart: start,
      rowEnd: end,
      onComplete: (rows) => {
        for (const [i, row] of rows.entries()) {
          const [date, delay, distance, origin, destination] = row as [Date, bigint, bigint, string, string];
          table.scheduled[base + i] = date.getTime() / 60_000;
          table.delay[base + i] = Number(delay);
          table.distance[base + i] = Number(distance);
          table.origin[base + i] = airport(origin);
          table.destination[base + i] = airport(destination);
        }
      },
    });
    start = end;
  }
  return { ...table, airports: [...airports.keys()] };
}

/** Row indexes in the order in which a flight would be reported: scheduled date plus delay, ties by row. */
export function publicationOrder(table: FlightTable): Uint32Array {
  const reported = (row: number) => table.scheduled[row]! + table.delay[row]!;
  return Uint32Array.from({ length: table.count }, (_, row) => row).sort((a, b) => reported(a) - reported(b) || a - b);
}

export interface FlightEvent {
  readonly scheduled: string;
  readonly delay: number;
  readonly distance: number;
  readonly origin: string;
  readonly destination: string;
}

export function flightEvent(table: FlightTable, row: number): FlightEvent {
  return {
    scheduled: new Date(table.scheduled[row]! * 60_000).toISOString(),
    delay: table.delay[row]!,
    distance: table.distance[row]!,
    origin: table.airports[table.origin[row]!]!,
    destination: table.airports[table.destination[row]!]!,
  };
}

/** The delay that a share of the flights stays within, in minutes: p99 of all 3 M is 139. */
export function delayPercentile(table: FlightTable, percentile: number): number {
  const sorted = Int16Array.from(table.delay).sort();
  return sorted[Math.min(sorted.length - 1, Math.ceil(percentile * sorted.length) - 1)]!;
}
