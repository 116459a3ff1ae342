import { createRequire } from "node:module";
import { userError } from "../../errors.js";
import { JsonServiceError } from "../json-service.js";

/** Attribute maps and requests in DynamoDB's JSON. */
export type Json = Record<string, unknown>;

interface DynaliteStore {
  getTable(name: string, done: (error: unknown, table: TableDescription) => void): void;
  readonly db: { close(done: (error: unknown) => void): void };
}
type DynaliteAction = (store: DynaliteStore, request: Json, done: (error: unknown, output: Json) => void) => void;
interface DynaliteValidation {
  readonly types: unknown;
  readonly custom: unknown;
}
interface DynaliteModules {
  readonly db: {
    create(options: Json): DynaliteStore;
    checkConditional(request: Json, existing: Json | undefined): unknown;
  };
  readonly validations: {
    checkTypes(request: Json, types: unknown): Json;
    checkValidations(request: Json, types: unknown, custom: unknown, store: DynaliteStore): void;
  };
}

interface TableDescription {
  readonly TableName: string;
  readonly KeySchema: readonly { readonly AttributeName: string }[];
}

/** DynamoDB's expressions, conditions, types and limits, as the dynalite package implements them, below its HTTP server. */
export interface DynaliteEngine {
  call(operation: string, request: Json): Promise<Json>;
  table(name: string): Promise<TableDescription>;
  read(tableName: string, key: Json): Promise<Json | undefined>;
  /** Whether the request's own condition holds against the item, without writing. */
  conditionHolds(operation: string, request: Json, existing: Json | undefined): boolean;
  close(): Promise<void>;
}

const OPERATIONS = new Set([
  "BatchGetItem",
  "BatchWriteItem",
  "CreateTable",
  "DeleteItem",
  "DeleteTable",
  "DescribeTable",
  "GetItem",
  "ListTables",
  "PutItem",
  "Query",
  "Scan",
  "UpdateItem",
  "UpdateTable",
]);

/** Deep paths of the package, hence its exact version in package.json. Loaded only here, so that a deployed function never needs it. */
export function createDynaliteEngine(): DynaliteEngine {
  const require = createRequire(import.meta.url);
  const { db, validations } = loadModules(require);
  const store = db.create({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });

  const prepare = (operation: string, request: Json): Json => {
    if (!OPERATIONS.has(operation)) throw new JsonServiceError("UnknownOperationException", operation);
    const { types, custom }: DynaliteValidation = require(`dynalite/validations/${lowerFirst(operation)}`);
    return wrapped(() => {
      const prepared = validations.checkTypes(structuredClone(request), types);
      validations.checkValidations(prepared, types, custom, store);
      return prepared;
    });
  };

  const call = (operation: string, request: Json): Promise<Json> => {
    const prepared = prepare(operation, request);
    const action: DynaliteAction = require(`dynalite/actions/${lowerFirst(operation)}`);
    return new Promise((resolve, reject) => {
      action(store, prepared, (error, output) => (error ? reject(asServiceError(error)) : resolve(output)));
    });
  };

  return {
    call: async (operation, request) => call(operation, request),
    table: (name) =>
      new Promise((resolve, reject) => {
        store.getTable(name, (error, table) => (error ? reject(asServiceError(error)) : resolve(table)));
      }),
    read: async (tableName, key) =>
      (await call("GetItem", { TableName: tableName, Key: key, ConsistentRead: true }))["Item"] as Json | undefined,
    conditionHolds: (operation, request, existing) => !db.checkConditional(prepare(operation, request), existing),
    close: () => new Promise((resolve) => store.db.close(() => resolve())),
  };
}

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

function loadModules(require: NodeJS.Require): DynaliteModules {
  try {
    return { db: require("dynalite/db"), validations: require("dynalite/validations") };
  } catch (cause) {
    throw userError(
      "dynalite-missing",
      "The local DynamoDB needs the package dynalite.",
      "Run `npm install --save-dev dynalite@4.0.0`.",
      cause,
    );
  }
}

function wrapped<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw asServiceError(error);
  }
}

function asServiceError(error: unknown): unknown {
  const { statusCode, body } = error as { statusCode?: number; body?: Json };
  if (statusCode === undefined || body === undefined) return error;
  const { __type, message, Message, ...extra } = body;
  return new JsonServiceError(String(__type), String(message ?? Message ?? ""), extra, statusCode);
}
