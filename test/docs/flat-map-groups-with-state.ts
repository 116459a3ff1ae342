import {
  columns,
  type GroupFunction,
  kinesis,
  long,
  memory,
  type Row,
  readStream,
  string,
  timestamp,
} from "../../lib/index.js";

const PageView = columns({ eventTime: timestamp(), page: string(), userId: string(), durationMs: long() });
const views = readStream(kinesis({ stream: "page-views", schema: PageView }));

const countViews: GroupFunction<{ userId: string | null }, Row, { userId: string | null; n: number }, number> =
  function* (key, rows, state) {
    const n = (state.getOption() ?? 0) + rows.length;
    state.update(n);
    yield { ...key, n };
  };

export const counts = views
  .groupBy("userId")
  .flatMapGroupsWithState(countViews, { outputMode: "update", columns: columns({ userId: string(), n: long() }) })
  .writeStream({ queryName: "views-per-user", outputMode: "update", sink: memory() });
