import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { watch as watchFile } from "node:fs";
import { parseArgs } from "node:util";
import { PutRecordCommand } from "@aws-sdk/client-kinesis";
import { dynamodbCheckpointLog } from "../../checkpoint/dynamodb-checkpoint-log.js";
import { s3ObjectStore } from "../../checkpoint/s3-object-store.js";
import { readStoredQuery } from "../../checkpoint/stored-query.js";
import { userError } from "../../errors.js";
import { startStack } from "../../local/stack.js";
import { connectClients } from "../../local/stack-clients.js";
import type { QueryDefinition } from "../../plan/logical-plan.js";
import { sourcesOf } from "../../runtime/query-sources.js";
import { pageFeed } from "../../ui/page-feed.js";
import { startPageServer } from "../../ui/page-server.js";
import { type Command, EXIT } from "../command.js";
import { loadQuery } from "../load-query.js";
import { DEV, startDevFunction } from "../watch/dev-function.js";
import { outputLook } from "../watch/output-look.js";
import { type QueryWatch, watchQuery } from "../watch/query-watch.js";
import { windowLook } from "../watch/window-look.js";
import { wholeNumber } from "../whole-number.js";

const HELP = `tidemark dev QUERY_FILE

Runs a query on an embedded stack in this process (Kinesis, DynamoDB, S3) and serves its live page on 127.0.0.1. The
file exports the query and its handler, as it is deployed. Records come by hand: the page has a form, and each source an
address that takes them by PUT. A file that is saved restarts the query on its checkpoint; a change that the checkpoint
does not fit is told in words.

  --query NAME       which query, where the file exports several
  --data DIR         keep streams, checkpoint and results here; in memory by default
  --port N           the first port that is tried, 4040 by default

Examples
  tidemark dev functions/page-views.ts
  curl -X PUT --data '{"eventTime":"2026-11-30T12:00:00Z","page":"/"}' http://127.0.0.1:4040/records/page-views
`;

export const devCommand: Command = {
  name: "dev",
  summary: "a query on an embedded stack with its live page, restarted when its file is saved",
  help: HELP,
  heedsSignal: true,
  async run(args, { stdout, signal }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { query: { type: "string" }, data: { type: "string" }, port: { type: "string", default: "4040" } },
      allowPositionals: true,
    });
    const port = wholeNumber("--port", values.port);
    const file = positionals[0];
    const first = await loadQuery(file, values.query);
    const streams = streamsOf(first.definition);
    const stack = await startStack(values.data === undefined ? {} : { dataDir: values.data });
    for (const stream of streams.values()) await stack.createStream(stream);
    const feed = pageFeed();
    const { dynamodb, s3 } = connectClients(stack.endpoints);
    const storeOf = (bucket: string) => s3ObjectStore(s3, bucket);
    const now = () => Date.now();
    const { queryName } = first.definition;
    const status = feed.query(queryName).status;

    const start = async () => {
      const query = await loadQuery(file, queryName);
      const log = dynamodbCheckpointLog({ client: dynamodb, tableName: DEV.table, query: queryName, now });
      const stored = () =>
        readStoredQuery({ log, objects: storeOf(DEV.bucket), query: queryName, now, newId: randomUUID });
      const watch: QueryWatch = watchQuery({
        definition: query.definition,
        title: file!,
        feed,
        outputs: outputLook({ query: queryName, sink: query.definition.sink, bucket: DEV.bucket, storeOf }),
        windows: windowLook(query.definition, stored),
        takesRecords: [...streams.keys()],
      });
      const running = await startDevFunction({
        stack,
        file: file!,
        query,
        streams: [...streams.values()],
        onEvent: watch.event,
        onProgress(progress) {
          status({ state: "running", words: "" });
          watch.progress(progress);
        },
        onError: (words) => status({ state: "failed", words }),
      });
      status({ state: "running", words: "" });
      return {
        async stop() {
          watch.stop();
          await running.stop();
        },
      };
    };

    const server = await startPageServer({
      feed,
      port,
      async putRecord(source, payload) {
        const StreamName = streams.get(source);
        if (StreamName === undefined) throw new Error(`The query reads no source '${source}'.`);
        await stack.clients.kinesis.send(
          new PutRecordCommand({ StreamName, PartitionKey: randomUUID(), Data: payload }),
        );
      },
    });
    stdout.write(`Watch ${queryName}: ${server.address} (interrupt to end)\n`);
    for (const source of streams.keys()) stdout.write(`Send records: PUT ${server.address}/records/${source}\n`);

    let running: { stop(): Promise<void> } | null = await start();
    let turn: Promise<void> = Promise.resolve();
    const restart = async () => {
      await running?.stop();
      running = null;
      try {
        running = await start();
        stdout.write("restarted\n");
      } catch (error) {
        status({ state: "failed", words: (error as Error).message });
        stdout.write(`${(error as Error).message}\n`);
      }
    };
    let soon: NodeJS.Timeout | undefined;
    const watcher = watchFile(file!, () => {
      clearTimeout(soon);
      soon = setTimeout(() => {
        turn = turn.then(restart);
      }, 200);
    });
    await (signal === undefined ? once(process, "SIGINT") : once(signal, "abort"));
    watcher.close();
    clearTimeout(soon);
    await turn;
    await (running as { stop(): Promise<void> } | null)?.stop();
    await server.stop();
    await stack.stop();
    return EXIT.ok;
  },
};

/** By source name. @throws `dev-source` */
function streamsOf({ plan }: QueryDefinition): ReadonlyMap<string, string> {
  return new Map(
    sourcesOf(plan).map(({ name, descriptor }) => {
      if (descriptor.kind === "kinesis") return [name, descriptor.stream] as const;
      throw userError(
        "dev-source",
        `The source '${name}' is ${descriptor.kind}(), which the embedded stack has not.`,
        "Try the query over files with tidemark run, or read it from kinesis() here.",
      );
    }),
  );
}
