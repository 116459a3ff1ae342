import { type Job, spanOf } from "./job.js";
import { pageViewEvents } from "./page-view-events.js";

const SEED = 42;
/** Not JSON, an unknown time, a missing column: each once, somewhere in the stream. */
const POISON = [
  "not json at all",
  '{"eventTime":"yesterday","page":"/"}',
  '{"page":"/docs","userId":"u1","durationMs":5}',
];

export function pageViewJob(count: number, end: number): Job {
  const records = () => pageViewRecords(count, end);
  let total = 0;
  for (const _ of records()) total += 1;
  return {
    name: "page-views",
    title: "Page views per 5-minute window and page, 10 minutes of delay",
    queryFile: "functions/page-views.ts",
    queryName: "page-views-5min",
    stream: "page-views",
    prefix: "page-views/",
    total,
    paceMs: 100,
    records,
    rowsOf: (result) => Number(result["views"]),
    closed(results) {
      const pages = new Map<string, number>();
      for (const row of results) {
        const page = String(row["page"]);
        pages.set(page, (pages.get(page) ?? 0) + Number(row["views"]));
      }
      const busiest = [...pages].sort((a, b) => b[1] - a[1]);
      const views = busiest.reduce((sum, [, count]) => sum + count, 0);
      return `${spanOf(results)}  ${views} views: ${busiest.map(([page, count]) => `${page} ${count}`).join(", ")}`;
    },
  };
}

function* pageViewRecords(count: number, end: number) {
  const every = Math.floor(count / (POISON.length + 1));
  let sent = 0;
  for (const event of pageViewEvents({ seed: SEED, count, end })) {
    yield { partitionKey: event.userId, data: JSON.stringify(event) };
    sent += 1;
    const poison = every > 0 && sent % every === 0 ? POISON[sent / every - 1] : undefined;
    if (poison !== undefined) yield { partitionKey: "poison", data: poison };
  }
}
