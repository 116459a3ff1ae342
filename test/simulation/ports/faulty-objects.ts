import type { ObjectStore } from "../../../lib/checkpoint/object-store.js";
import type { Network } from "./network.js";

const nameOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

/** An object store as one actor sees it: it answers late, 500, or not at all. */
export const faultyObjects = (objects: ObjectStore, { call, gate }: Network): ObjectStore => ({
  put: (key, bytes) => call(`upload ${nameOf(key)}`, () => objects.put(key, bytes)),
  get: (key) => call(`get ${nameOf(key)}`, () => objects.get(key)),
  delete: (keys) => call(`delete ${keys.map(nameOf).join(" ")}`, () => objects.delete(keys)),
  folders: (prefix) => call("folders", () => objects.folders(prefix)),
  async *list(prefix) {
    await gate("list");
    for await (const object of objects.list(prefix)) yield object;
    await gate("listed");
  },
});
