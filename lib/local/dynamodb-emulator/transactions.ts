import { JsonServiceError } from "../json-service.js";
import type { DynaliteEngine, Json } from "./dynalite-engine.js";
import { type ItemRef, refOf } from "./item-ref.js";

const OPERATION_OF: Readonly<Record<string, string>> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "DeleteItem",
};

interface Write {
  readonly operation: string;
  readonly request: Json;
  readonly ref: ItemRef;
  readonly before: Json | undefined;
}

/** All or nothing. Callers run it alone: nothing else writes between the checks and the writes. Returns the items that it touched. */
export async function transactWrite(engine: DynaliteEngine, input: Json): Promise<readonly ItemRef[]> {
  const items = input["TransactItems"] as readonly Record<string, Json>[];
  if (items.length > 100)
    throw new JsonServiceError("ValidationException", "Member must have length less than or equal to 100");
  const writes: Write[] = [];
  const reasons: Json[] = [];
  const seen = new Set<string>();
  for (const item of items) {
    const [kind, request] = Object.entries(item)[0]!;
    const operation = OPERATION_OF[kind]!;
    const ref = await refOf(engine, request);
    const identity = JSON.stringify(ref);
    if (seen.has(identity)) {
      throw new JsonServiceError(
        "ValidationException",
        "Transaction request cannot include multiple operations on one item",
      );
    }
    seen.add(identity);
    const before = await engine.read(ref.table, ref.key);
    const holds = engine.conditionHolds(operation, request, before);
    const shown = request["ReturnValuesOnConditionCheckFailure"] === "ALL_OLD" && before ? { Item: before } : {};
    reasons.push(
      holds
        ? { Code: "None" }
        : { Code: "ConditionalCheckFailed", Message: "The conditional request failed", ...shown },
    );
    if (kind !== "ConditionCheck") writes.push({ operation, request, ref, before });
  }
  if (reasons.some((reason) => reason["Code"] !== "None")) {
    const codes = reasons.map((reason) => reason["Code"]).join(", ");
    throw new JsonServiceError("TransactionCanceledException", `Transaction cancelled [${codes}]`, {
      CancellationReasons: reasons,
    });
  }
  await applyAll(engine, writes);
  return writes.map((write) => write.ref);
}

/** A later write may still be refused (size, type of an update's operand); then the earlier ones are undone. */
async function applyAll(engine: DynaliteEngine, writes: readonly Write[]): Promise<void> {
  const done: Write[] = [];
  try {
    for (const write of writes) {
      await engine.call(write.operation, write.request);
      done.push(write);
    }
  } catch (error) {
    for (const { ref, before } of done.reverse()) {
      if (before) await engine.call("PutItem", { TableName: ref.table, Item: before });
      else await engine.call("DeleteItem", { TableName: ref.table, Key: ref.key });
    }
    throw error;
  }
}

export async function transactGet(engine: DynaliteEngine, input: Json): Promise<Json> {
  const responses: Json[] = [];
  for (const { Get } of input["TransactItems"] as readonly { readonly Get: Json }[]) {
    const { Item } = await engine.call("GetItem", { ...Get, ConsistentRead: true });
    responses.push(Item ? { Item } : {});
  }
  return { Responses: responses };
}
