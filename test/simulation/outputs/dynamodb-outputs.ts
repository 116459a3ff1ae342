import { Buffer } from "node:buffer";
import { gunzipSync } from "node:zlib";
import type { Row } from "../../../lib/plan/schema.js";
import type { Item } from "../../../lib/sinks/dynamodb-item.js";
import { dynamoDbSink } from "../../../lib/sinks/dynamodb-sink.js";
import { memoryTable } from "../../../lib/sinks/memory-table.js";
import type { OutboxPart } from "../../../lib/sinks/sink.js";
import type { Judge } from "../violation.js";
import type { Outputs } from "./outputs.js";

interface Standing {
  readonly incarnation: string;
  readonly batchId: number;
  readonly item: Item;
}

const itemsOf = ({ bytes }: OutboxPart): readonly Item[] =>
  JSON.parse(Buffer.from(gunzipSync(bytes)).toString()) as readonly Item[];

/** One item per key: whatever publishes late or again, the newest batch's stands. */
export function dynamoDbOutputs(key: readonly string[], judge: Judge): Outputs {
  const table = memoryTable(key);
  const standing = new Map<string, Standing>();
  const idOf = (item: Item) => JSON.stringify(key.map((name) => item[name]));

  return {
    sink: (network) =>
      dynamoDbSink({
        key,
        table: {
          putIfNewer: (item, version) =>
            network.call(`put item ${idOf(item)}`, async () => {
              const put = await table.putIfNewer(item, version);
              if (put) standing.set(idOf(item), { ...version, item });
              return put;
            }),
        },
      }),
    rowsOf: (part) => itemsOf(part).map(rowOf),
    missing({ incarnation, batchId }, parts) {
      const last = new Map(parts.flatMap(itemsOf).map((item) => [idOf(item), item]));
      for (const item of last.values()) {
        const stands = standing.get(idOf(item));
        if (stands === undefined || stands.incarnation < incarnation) return idOf(item);
        if (stands.incarnation > incarnation || stands.batchId > batchId) continue;
        if (stands.batchId < batchId) return `${idOf(item)} of an older batch`;
        judge.check(
          JSON.stringify(stands.item) === JSON.stringify(item),
          "identical-on-repeat",
          () => `${idOf(item)} is not what batch ${batchId} committed`,
        );
      }
      return null;
    },
  };
}

const rowOf = (item: Item): Row =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plain(value as AttributeValue)]));

type AttributeValue = { readonly S?: string; readonly N?: string; readonly M?: Item };

/** A window that is a key stands as text: `start/end`. */
function plain({ S: text, N: number, M: map }: AttributeValue): unknown {
  if (number !== undefined) return Number(number);
  if (map !== undefined) return rowOf(map);
  const [start, end] = text?.split("/") ?? [];
  return end === undefined ? text : { start, end };
}
