import { JsonServiceError } from "../json-service.js";
import type { DynaliteEngine, Json } from "./dynalite-engine.js";

/** The setting alone: nothing is ever deleted by it, as readers must filter expired items themselves. */
export function createTimeToLive(engine: DynaliteEngine) {
  const byTable = new Map<string, { readonly Enabled: boolean; readonly AttributeName: string }>();
  return {
    async update(input: Json): Promise<Json> {
      const { TableName } = await engine.table(input["TableName"] as string);
      const specification = input["TimeToLiveSpecification"] as { Enabled: boolean; AttributeName: string };
      if (byTable.get(TableName)?.Enabled === specification.Enabled) {
        throw new JsonServiceError(
          "ValidationException",
          `TimeToLive is already ${specification.Enabled ? "enabled" : "disabled"}`,
        );
      }
      byTable.set(TableName, specification);
      return { TimeToLiveSpecification: specification };
    },
    async describe(input: Json): Promise<Json> {
      const { TableName } = await engine.table(input["TableName"] as string);
      const setting = byTable.get(TableName);
      const description = setting?.Enabled
        ? { TimeToLiveStatus: "ENABLED", AttributeName: setting.AttributeName }
        : { TimeToLiveStatus: "DISABLED" };
      return { TimeToLiveDescription: description };
    },
  };
}
