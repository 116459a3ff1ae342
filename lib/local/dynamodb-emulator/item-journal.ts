import { type AppendLog, openAppendLog, replaceLog } from "../append-log.js";
import type { DynaliteEngine, Json } from "./dynalite-engine.js";
import type { ItemRef } from "./item-ref.js";

type JournalFrame =
  | { readonly control: string; readonly request: Json }
  | { readonly table: string; readonly key: Json; readonly item: Json | null };

/** What a restart needs: the requests that shape tables, and each written item as it stands after the write. */
export interface ItemJournal {
  control(operation: string, request: Json): void;
  item(ref: ItemRef, item: Json | undefined): void;
  close(): void;
}

/** `replayControl` runs a table request; items go straight to the engine, each key once. */
export async function openItemJournal(
  path: string,
  engine: DynaliteEngine,
  replayControl: (operation: string, request: Json) => Promise<unknown>,
): Promise<ItemJournal> {
  const controls: Extract<JournalFrame, { control: string }>[] = [];
  const items = new Map<string, Extract<JournalFrame, { table: string }>>();
  let frames = 0;
  openAppendLog(path, (bytes) => {
    const frame = JSON.parse(bytes.toString("utf8")) as JournalFrame;
    frames += 1;
    if ("control" in frame) {
      controls.push(frame);
      if (frame.control === "DeleteTable") forgetTable(items, frame.request["TableName"] as string);
    } else if (frame.item === null) items.delete(identity(frame));
    else items.set(identity(frame), frame);
  }).close();
  for (const { control, request } of controls) await replayControl(control, request);
  for (const { table, item } of items.values()) await engine.call("PutItem", { TableName: table, Item: item });
  const live = [...controls, ...items.values()];
  if (frames > 2 * live.length) replaceLog(path, live.map(encode));
  return journalOn(openAppendLog(path, () => {}));
}

function journalOn(log: AppendLog): ItemJournal {
  return {
    control: (control, request) => log.append(encode({ control, request })),
    item: ({ table, key }, item) => log.append(encode({ table, key, item: item ?? null })),
    close: () => log.close(),
  };
}

const encode = (frame: JournalFrame): Buffer => Buffer.from(JSON.stringify(frame), "utf8");

const identity = ({ table, key }: ItemRef): string => `${table}/${JSON.stringify(key)}`;

function forgetTable(items: Map<string, { readonly table: string }>, name: string): void {
  for (const [id, { table }] of items) if (table === name) items.delete(id);
}
