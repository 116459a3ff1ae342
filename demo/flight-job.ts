import { delayPercentile, type FlightTable, flightEvent, publicationOrder } from "./flight-table.js";
import { type Job, spanOf } from "./job.js";
import type { OutputRow } from "./outputs.js";

export function flightJob(table: FlightTable): Job {
  const order = publicationOrder(table);
  return {
    name: "flights",
    title: `US flights of 2001 per airport and hour, 139 minutes of delay (p99 of these: ${delayPercentile(table, 0.99)})`,
    queryFile: "functions/flights.ts",
    queryName: "flights-hourly",
    stream: "flights",
    prefix: "flights/",
    total: table.count,
    paceMs: 20,
    *records() {
      for (const row of order) {
        const event = flightEvent(table, row);
        yield { partitionKey: event.origin, data: JSON.stringify(event) };
      }
    },
    rowsOf: (result) => Number(result["flights"]),
    closed(results) {
      const flights = results.reduce((sum, row) => sum + Number(row["flights"]), 0);
      const busiest = results.reduce((best, row) => (Number(row["flights"]) > Number(best["flights"]) ? row : best));
      return `${spanOf(results)}  ${flights} flights in ${results.length} rows; busiest ${describe(busiest)}`;
    },
  };
}

const describe = (row: OutputRow): string =>
  `${row["origin"]}: ${row["flights"]}, mean delay ${Number(row["meanDelay"]).toFixed(1)} min`;
