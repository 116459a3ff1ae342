import type { DynaliteEngine, Json } from "./dynalite-engine.js";

export interface ItemRef {
  readonly table: string;
  readonly key: Json;
}

/** Of a request that carries `Item` or `Key`. */
export async function refOf(engine: DynaliteEngine, request: Json): Promise<ItemRef> {
  const table = await engine.table(request["TableName"] as string);
  const whole = (request["Key"] ?? request["Item"]) as Json;
  const key: Json = Object.create(null);
  for (const { AttributeName } of table.KeySchema) key[AttributeName] = whole[AttributeName];
  return { table: table.TableName, key };
}

/** Of a BatchWriteItem request. */
export async function refsOfBatch(engine: DynaliteEngine, input: Json): Promise<readonly ItemRef[]> {
  const refs: ItemRef[] = [];
  for (const [table, requests] of Object.entries(
    input["RequestItems"] as Record<string, readonly Record<string, Json>[]>,
  )) {
    for (const request of requests) {
      refs.push(await refOf(engine, { TableName: table, ...(request["PutRequest"] ?? request["DeleteRequest"]) }));
    }
  }
  return refs;
}
