import type { QueryDefinition } from "../plan/logical-plan.js";
import { sourceNode, watermarkNode } from "../plan/nodes/nodes.js";
import type { DataType } from "../plan/schema.js";

/** Files that are measured without a query: the time column with a watermark, the arrival's columns, and nothing else is read. */
export function timeColumnQuery(time: string, arrival: readonly string[]): QueryDefinition {
  const [arrivalTime, lag] = arrival;
  const types = new Map<string, DataType>([[time, "timestamp"]]);
  if (arrivalTime !== undefined) types.set(arrivalTime, "timestamp");
  if (lag !== undefined && !types.has(lag)) types.set(lag, "double");
  const fields = [...types].map(([name, type]) => ({ name, type, nullable: true }));
  return {
    queryName: `lateness of ${time}`,
    outputMode: "append",
    watermarkPolicy: "min",
    lateRule: "state",
    plan: watermarkNode(sourceNode("input", { kind: "files" }, { fields }), time, "0 seconds"),
    sink: { kind: "memory" },
    options: { onError: "fail", noDataMicroBatches: true, statePartitions: 1 },
    functions: {},
  };
}
