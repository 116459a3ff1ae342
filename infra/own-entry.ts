import { fileURLToPath } from "node:url";

/** A function that comes with this package: beside the construct, whether that is source or built, in this project or among its dependencies. */
export const ownEntry = (name: "sweeper" | "heartbeat"): string =>
  fileURLToPath(new URL(`../functions/${name}${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url));
