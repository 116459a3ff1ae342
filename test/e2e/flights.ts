import { flightJob } from "../../demo/flight-job.js";
import { type FlightEvent, readFlights } from "../../demo/flight-table.js";
import type { OutputRow } from "../../demo/outputs.js";
import { publish } from "../../demo/producer.js";
import type { Deployment } from "./deployment.js";
import { metricSum } from "./function-logs.js";
import { queryProbe } from "./query-probe.js";
import type { Report } from "./report.js";

const FLIGHTS = 100_000;
const HOUR = 3_600_000;
const DELAY_MS = 139 * 60_000;

/** Flights over four shards into one state; every sum again in plain loops over what was published. */
export async function checkFlights(deployment: Deployment, report: Report): Promise<void> {
  const probe = queryProbe(deployment, deployment.query("TidemarkFlights"), "flights/");
  const job = flightJob(await readFlights(FLIGHTS));
  const began = Date.now();
  await publish(
    deployment.kinesis,
    "flights",
    job.records(),
    500,
    () => undefined,
    async () => undefined,
  );
  const logs = await probe.consumed(FLIGHTS);
  const seconds = (Date.now() - began) / 1000;
  report.that("100,000 flights are consumed", true, `${Math.round(FLIGHTS / seconds)} rows/s with the publishing`);
  const shards = new Set(
    logs.progress.flatMap(({ sources }) => sources.flatMap(({ endOffset }) => Object.keys(endOffset))),
  );
  report.equal("four shards feed one state", shards.size, 4);
  const conflicts = metricSum(logs, "conflicts");
  report.that("batches", true, `${logs.progress.length}, ${conflicts} conflicts`);

  await probe.command("drain");
  const results = await probe.rows("");
  const late = await probe.rows(".late");
  const counted = results.reduce((sum, row) => sum + Number(row["flights"]), 0);
  report.equal(`counted ${counted} + late ${late.length} = published`, counted + late.length, FLIGHTS);

  const published = [...job.records()].map(({ data }) => JSON.parse(data) as FlightEvent);
  const lateEvents = late.map(({ row }) => row as unknown as FlightEvent);
  report.equal(
    "results equal plain loops over all rows that are not late",
    resultLines(results),
    plainLines(published, lateEvents),
  );
  report.equal("no row is late without a row newer by more than the delay", unjustlyLate(published, lateEvents), 0);
  report.equal("no line of level ERROR in the log", (await probe.logs()).errors, []);
}

const resultLines = (rows: readonly OutputRow[]): readonly string[] =>
  rows
    .map(({ window, origin, flights, meanDelay }) => {
      const { start } = window as { readonly start: string };
      return `${start} ${origin} ${flights} ${Number(meanDelay).toFixed(6)}`;
    })
    .sort();

function plainLines(published: readonly FlightEvent[], late: readonly FlightEvent[]): readonly string[] {
  const groups = new Map<string, { flights: number; delay: number }>();
  const add = ({ scheduled, origin, delay }: FlightEvent, sign: 1 | -1): void => {
    const hour = new Date(Math.floor(Date.parse(scheduled) / HOUR) * HOUR).toISOString().replace(".000Z", "Z");
    const group = groups.get(`${hour} ${origin}`) ?? { flights: 0, delay: 0 };
    groups.set(`${hour} ${origin}`, { flights: group.flights + sign, delay: group.delay + sign * delay });
  };
  for (const event of published) add(event, 1);
  for (const event of late) add(event, -1);
  return [...groups]
    .filter(([, { flights }]) => flights > 0)
    .map(([key, { flights, delay }]) => `${key} ${flights} ${(delay / flights).toFixed(6)}`)
    .sort();
}

/** Rows are put 500 at a time; the newest row that may have arrived with or before a late one is the newest through its call. */
function unjustlyLate(published: readonly FlightEvent[], late: readonly FlightEvent[]): number {
  const newestWith = new Map<string, number>();
  let newest = Number.NEGATIVE_INFINITY;
  for (let from = 0; from < published.length; from += 500) {
    const call = published.slice(from, from + 500);
    for (const { scheduled } of call) newest = Math.max(newest, Date.parse(scheduled));
    for (const event of call) newestWith.set(identity(event), newest);
  }
  return late.filter((event) => {
    const newer = newestWith.get(identity(event));
    return newer === undefined || newer - Date.parse(event.scheduled) <= DELAY_MS;
  }).length;
}

const identity = ({ scheduled, delay, distance, origin, destination }: FlightEvent): string =>
  [Date.parse(scheduled), delay, distance, origin, destination].join(" ");
