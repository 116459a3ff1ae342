import { SINKS } from "../plan/connectors/catalogue.js";
import type { SinkConnector } from "../plan/connectors/sink-connector.js";
import type { Sink } from "./sink.js";

/** What of a connector says where its sink writes, and under which keys; formats and handlers do not. */
const PLACE: readonly string[] = [
  "bucket",
  "key",
  "kind",
  "mergeSchema",
  "partitionBy",
  "partitionKey",
  "path",
  "prefix",
  "stream",
  "table",
];

/** `Sink.target` of a sink that a connector describes: equal places, equal text. `sinkPlace` reads it. */
export const targetText = (connector: SinkConnector): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(connector)
        .filter(([name, value]) => PLACE.includes(name) && value !== undefined)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  );

/** The connector of a target; null if it is none. */
export function sinkPlace(target: string): SinkConnector | null {
  if (!target.startsWith("{")) return null;
  const place = JSON.parse(target) as SinkConnector;
  return Object.hasOwn(SINKS, place.kind) ? place : null;
}

/** What two sinks of one query are told apart by. */
export const targetOf = ({ kind, target }: Pick<Sink, "kind" | "target">): string => target ?? kind;
