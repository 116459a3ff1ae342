import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { s3ObjectStore } from "../../checkpoint/s3-object-store.js";
import { lazyClients } from "../../lambda/clients.js";
import { ENVIRONMENT, hasOwnEndpoints } from "../../lambda/environment.js";
import type { QueryProgress } from "../../runtime/progress.js";
import { pageFeed } from "../../ui/page-feed.js";
import { startPageServer } from "../../ui/page-server.js";
import { type Command, EXIT, UsageError } from "../command.js";
import { loadQuery } from "../load-query.js";
import { findStoredQuery } from "../stored-query.js";
import { outputLook } from "../watch/output-look.js";
import { watchQuery } from "../watch/query-watch.js";
import { windowLook } from "../watch/window-look.js";
import { wholeNumber } from "../whole-number.js";

const HELP = `tidemark ui QUERY_FILE

Serves the live page of a deployed query on 127.0.0.1: progress, open windows, outputs, diagnosis, read from its
checkpoint and bucket. It only reads. Single records are not seen: each batch shows its range of event times.

  --query NAME       which query, where the file exports several
  --table NAME       the DynamoDB table of the query; TIDEMARK_TABLE by default
  --bucket NAME      its bucket; TIDEMARK_BUCKET by default. Region, credentials and AWS_ENDPOINT_URL as for the AWS CLI
  --every SECONDS    how often the checkpoint is read, 5 by default
  --port N           the first port that is tried, 4040 by default

Examples
  tidemark ui functions/page-views.ts --table tidemark --bucket tidemark
  AWS_ENDPOINT_URL=http://localhost:4566 tidemark ui functions/page-views.ts --table tidemark --bucket tidemark
`;

export const uiCommand: Command = {
  name: "ui",
  summary: "the live page of a deployed query",
  help: HELP,
  heedsSignal: true,
  async run(args, { stdout, env, signal }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        query: { type: "string" },
        table: { type: "string" },
        bucket: { type: "string" },
        every: { type: "string", default: "5" },
        port: { type: "string", default: "4040" },
      },
      allowPositionals: true,
    });
    const [everyMs, port] = [wholeNumber("--every", values.every) * 1000, wholeNumber("--port", values.port)];
    const { definition } = await loadQuery(positionals[0], values.query);
    const { queryName } = definition;
    const bucket = values.bucket ?? env[ENVIRONMENT.bucket];
    if (bucket === undefined) throw new UsageError("Give --bucket NAME, or TIDEMARK_BUCKET.");
    const stored = await findStoredQuery(queryName, { ...values, bucket }, env);
    const s3 = await lazyClients(hasOwnEndpoints(env)).s3();
    const feed = pageFeed();
    const storeOf = (name: string) => s3ObjectStore(s3, name);
    const watch = watchQuery({
      definition,
      title: queryName,
      feed,
      outputs: outputLook({ query: queryName, sink: definition.sink, bucket, storeOf }),
      windows: windowLook(definition, async () => stored),
    });
    const server = await startPageServer({ feed, port });
    stdout.write(`Watch ${queryName}: ${server.address} (interrupt to end)\n`);
    const status = feed.query(queryName).status;
    status({ state: "running", words: "" });
    const ended = signal === undefined ? once(process, "SIGINT") : once(signal, "abort");
    let over = false;
    void ended.then(() => {
      over = true;
    });
    for (let newest = 0; !over; ) {
      try {
        const progress = (await stored.recentProgress()) as readonly QueryProgress[];
        for (const each of progress.filter(({ batchId }) => batchId > newest)) watch.progress(each);
        newest = progress.at(-1)?.batchId ?? newest;
        status({ state: "running", words: "" });
      } catch (error) {
        status({ state: "failed", words: (error as Error).message });
      }
      await Promise.race([ended, wait(everyMs)]);
    }
    watch.stop();
    await server.stop();
    return EXIT.ok;
  },
};
