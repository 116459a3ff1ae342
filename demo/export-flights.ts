import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type FlightTable, flightEvent, publicationOrder } from "./flight-table.js";

const LINES_AT_ONCE = 1_000;

/** Writes the flights as JSON lines in the order in which the demo publishes them, for `tidemark run`. */
export async function exportFlights(table: FlightTable, path: string): Promise<void> {
  await pipeline(Readable.from(chunks(table)), createWriteStream(path));
}

function* chunks(table: FlightTable): Generator<string> {
  const order = publicationOrder(table);
  for (let start = 0; start < order.length; start += LINES_AT_ONCE) {
    let text = "";
    for (const row of order.subarray(start, start + LINES_AT_ONCE))
      text += `${JSON.stringify(flightEvent(table, row))}\n`;
    yield text;
  }
}
