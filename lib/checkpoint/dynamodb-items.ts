import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { internalError } from "../errors.js";
import { type MetaItem, NO_POINTER, type PointerItem, type SlotItem } from "./checkpoint-log.js";
import type { ItemKey } from "./keys.js";

export type Item = Record<string, AttributeValue>;

export const toKey = ({ pk, sk }: ItemKey): Item => ({ pk: { S: pk }, sk: { S: sk } });

export const metaOf = (item: Item): MetaItem => ({ revision: number(item, "revision"), body: bytes(item, "body") });

export const slotItemOf = (item: Item): SlotItem => ({
  batchId: number(item, "batchId"),
  attemptId: text(item, "attemptId"),
  generation: number(item, "generation"),
  body: bytes(item, "body"),
});

/** The item may hold what was published alone (rule A2), or lack it. */
export function pointerOf(item: Item): PointerItem {
  const optional = (name: string) => (item[name] === undefined ? 0 : number(item, name));
  const reached = { publishedThrough: optional("publishedThrough"), published: optional("published") };
  if (item["manifestKey"] === undefined) return { ...NO_POINTER, ...reached };
  return {
    batchId: number(item, "batchId"),
    manifestKey: text(item, "manifestKey"),
    generation: number(item, "generation"),
    ...reached,
    ...(item["inlined"] === undefined ? {} : { inline: bytes(item, "inlined") }),
  };
}

const damaged = (name: string) => internalError("corrupt-item", `A checkpoint item lacks its ${name}.`);

function number(item: Item, name: string): number {
  const value = item[name]?.N;
  if (value === undefined) throw damaged(name);
  return Number(value);
}

function text(item: Item, name: string): string {
  const value = item[name]?.S;
  if (value === undefined) throw damaged(name);
  return value;
}

function bytes(item: Item, name: string): Uint8Array {
  const value = item[name]?.B;
  if (value === undefined) throw damaged(name);
  return value;
}
