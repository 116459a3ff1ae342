import { expect, it } from "vitest";
import { type FlightTable, flightEvent, publicationOrder, readFlights } from "../../demo/flight-table.js";
import { flights } from "../../functions/flights.js";
import { engine, send } from "../runtime/support/engine.js";

const HOUR = 60;
const DELAY = 139;
const ARRIVAL = Date.UTC(2002, 0, 1);

interface Answer {
  /** `hour origin` → flights and mean delay; an hour is emitted once. */
  readonly results: Map<string, { readonly flights: number; readonly meanDelay: number }>;
  readonly late: number;
}

/** The query as anyone would compute it: plain loops over the same batches, minutes since the epoch, none of the engine's code. */
function byHand(table: FlightTable, order: Uint32Array, batchSize: number): Answer {
  const open = new Map<number, Map<string, { flights: number; delay: number }>>();
  const results: Answer["results"] = new Map();
  let late = 0;
  let watermark = Number.NEGATIVE_INFINITY;
  const close = () => {
    for (const [hour, origins] of open) {
      if ((hour + 1) * HOUR > watermark) continue;
      for (const [origin, { flights, delay }] of origins)
        results.set(`${hour} ${origin}`, { flights, meanDelay: delay / flights });
      open.delete(hour);
    }
  };
  for (let start = 0; start < order.length; start += batchSize) {
    let newest = Number.NEGATIVE_INFINITY;
    for (const row of order.subarray(start, start + batchSize)) {
      const scheduled = table.scheduled[row]!;
      newest = Math.max(newest, scheduled);
      const hour = Math.floor(scheduled / HOUR);
      if ((hour + 1) * HOUR <= watermark) {
        late += 1;
        continue;
      }
      const origins = open.get(hour) ?? new Map<string, { flights: number; delay: number }>();
      open.set(hour, origins);
      const origin = table.airports[table.origin[row]!]!;
      const group = origins.get(origin) ?? { flights: 0, delay: 0 };
      origins.set(origin, group);
      group.flights += 1;
      group.delay += table.delay[row]!;
    }
    watermark = Math.max(watermark, newest - DELAY);
    close();
  }
  watermark = Number.POSITIVE_INFINITY;
  close();
  return { results, late };
}

async function byEngine(table: FlightTable, order: Uint32Array, batchSize: number): Promise<Answer> {
  const e = engine(flights.definition);
  const running = await e.start();
  for (let start = 0; start < order.length; start += batchSize) {
    const rows = Array.from(order.subarray(start, start + batchSize), (row) => ({ ...flightEvent(table, row) }));
    await running.processBatch([send(start, rows, { source: "flights", arrival: ARRIVAL })]);
  }
  await running.drain();
  const results: Answer["results"] = new Map();
  for (const row of e.sink.rows()) {
    const { start } = row["window"] as { readonly start: number };
    const key = `${start / 3_600_000} ${row["origin"]}`;
    expect(results.has(key), key).toBe(false);
    results.set(key, { flights: Number(row["flights"]), meanDelay: Number(row["meanDelay"]) });
  }
  return { results, late: e.sink.rows("late").length };
}

/** How many rows are late depends on the cut of the batches alone: measured once, for all who read the same file. */
it.each([
  { count: 3_000_000, batchSize: 10_000, late: 16_590 },
  { count: 200_000, batchSize: 1_000, late: null },
])(
  "$count flights in batches of $batchSize give the windows and late rows of plain loops",
  async (run) => {
    const table = await readFlights(run.count);
    const order = publicationOrder(table);
    const expected = byHand(table, order, run.batchSize);
    const answer = await byEngine(table, order, run.batchSize);
    expect(answer.late).toBe(expected.late);
    if (run.late !== null) expect(answer.late).toBe(run.late);
    const counted = [...answer.results.values()].reduce((sum, { flights }) => sum + flights, 0);
    expect(counted + answer.late).toBe(table.count);
    expect(answer.results.size).toBe(expected.results.size);
    for (const [key, { flights, meanDelay }] of expected.results) {
      const found = answer.results.get(key);
      if (found?.flights !== flights || Math.abs(found.meanDelay - meanDelay) > 1e-9)
        expect(found, key).toEqual({ flights, meanDelay });
    }
  },
  180_000,
);
