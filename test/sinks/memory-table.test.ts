import { memoryTable } from "../../lib/sinks/memory-table.js";
import { versionedTableContract } from "../contract/versioned-table.js";

versionedTableContract("memoryTable", async () => {
  const table = memoryTable(["id"]);
  return {
    table,
    valueUnder: async (id) => table.items().find((item) => (item["id"] as { S: string }).S === id)?.["value"],
  };
});
