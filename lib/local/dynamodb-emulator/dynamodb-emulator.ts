import { JsonServiceError, startJsonService } from "../json-service.js";
import type { LoopbackServer } from "../loopback-server.js";
import { createDynaliteEngine, type DynaliteEngine, type Json } from "./dynalite-engine.js";
import { type ItemJournal, openItemJournal } from "./item-journal.js";
import { type ItemRef, refOf, refsOfBatch } from "./item-ref.js";
import { createTimeToLive } from "./time-to-live.js";
import { transactGet, transactWrite } from "./transactions.js";

interface DynamoDbEmulatorOptions {
  /** A log file: what was written survives a killed process. Absent: in memory only. */
  readonly journalPath?: string;
}

/**
 * DynamoDB on loopback. Beside what dynalite does: transactions, the time-to-live setting, and
 * ReturnValuesOnConditionCheckFailure. Writes are applied one after another.
 */
export async function startDynamoDbEmulator(options: DynamoDbEmulatorOptions = {}): Promise<LoopbackServer> {
  const engine = createDynaliteEngine();
  const timeToLive = createTimeToLive(engine);
  const alone = createQueue();
  const control = async (operation: string, request: Json): Promise<Json> =>
    operation === "UpdateTimeToLive" ? timeToLive.update(request) : settle(engine, operation, request);
  const journal = options.journalPath ? await openItemJournal(options.journalPath, engine, control) : undefined;
  const record = async (refs: readonly ItemRef[]) => {
    if (journal) for (const ref of refs) journal.item(ref, await engine.read(ref.table, ref.key));
  };

  const run = async (operation: string, input: Json): Promise<unknown> => {
    switch (operation) {
      case "CreateTable":
      case "DeleteTable":
      case "UpdateTable":
      case "UpdateTimeToLive":
        return alone(() => controlled(control, journal, operation, input));
      case "DescribeTimeToLive":
        return timeToLive.describe(input);
      case "PutItem":
      case "UpdateItem":
      case "DeleteItem":
        return alone(() => writeItem(engine, operation, input, record));
      case "BatchWriteItem":
        return alone(async () => {
          const output = await engine.call(operation, input);
          await record(await refsOfBatch(engine, input));
          return output;
        });
      case "TransactWriteItems":
        return alone(async () => record(await transactWrite(engine, input)));
      case "TransactGetItems":
        return alone(() => transactGet(engine, input));
      default:
        return engine.call(operation, input);
    }
  };
  const server = await startJsonService("1.0", run);
  return {
    endpoint: server.endpoint,
    async stop() {
      await server.stop();
      await alone(() => engine.close());
      journal?.close();
    },
  };
}

async function writeItem(
  engine: DynaliteEngine,
  operation: string,
  input: Json,
  record: (refs: readonly ItemRef[]) => Promise<void>,
): Promise<Json> {
  try {
    const output = await engine.call(operation, input);
    await record([await refOf(engine, input)]);
    return output;
  } catch (error) {
    const refused = error instanceof JsonServiceError && error.type.endsWith("#ConditionalCheckFailedException");
    if (!refused || input["ReturnValuesOnConditionCheckFailure"] !== "ALL_OLD") throw error;
    const ref = await refOf(engine, input);
    const existing = await engine.read(ref.table, ref.key);
    throw existing ? new JsonServiceError(error.type, error.message, { ...error.extra, Item: existing }) : error;
  }
}

async function controlled(
  control: (operation: string, request: Json) => Promise<Json>,
  journal: ItemJournal | undefined,
  operation: string,
  input: Json,
): Promise<Json> {
  const output = await control(operation, input);
  journal?.control(operation, input);
  return output;
}

/** Tables change state within a turn of the event loop; the next request must already find them so. */
async function settle(engine: DynaliteEngine, operation: string, request: Json): Promise<Json> {
  const output = await engine.call(operation, request);
  const name = request["TableName"] as string;
  for (;;) {
    const { TableNames } = await engine.call("ListTables", {});
    if (!(TableNames as string[]).includes(name)) return output;
    const { Table } = await engine.call("DescribeTable", { TableName: name });
    if (operation !== "DeleteTable" && (Table as Json)["TableStatus"] === "ACTIVE") return output;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Runs tasks one after another; a failed one does not stop the next. */
function createQueue(): <T>(task: () => Promise<T>) => Promise<T> {
  let tail: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = tail.then(task, task);
    tail = result;
    return result;
  };
}
