import type { LogicalNode } from "../plan/logical-plan.js";
import { sourcesOf } from "../runtime/query-sources.js";
import { FILE_SHARD, type FileColumns } from "../sources/files.js";
import type { Delivery } from "../sources/source.js";
import type { Inputs } from "./inputs.js";
import { sourceBatches } from "./source-batches.js";

interface FileDeliveries {
  readonly plan: LogicalNode;
  readonly inputs: Inputs;
  readonly batchSize: number;
  /** Records of a source to pass over. */
  readonly skip?: (source: string) => number;
  readonly onColumns?: ((columns: FileColumns) => void) | undefined;
  readonly onRead?: (bytes: number) => void;
}

/** Micro-batches over files: the next records of every source, until all are read. */
export async function* fileDeliveries(reading: FileDeliveries): AsyncGenerator<readonly Delivery[]> {
  const { plan, inputs, batchSize, onColumns, skip = () => 0, onRead = () => {} } = reading;
  const readers = [...new Map(sourcesOf(plan).map((node) => [node.name, node])).values()].map((node) => {
    const paths = inputs.get(node.name)!;
    return {
      name: node.name,
      paths,
      batches: sourceBatches(node, { paths, batchSize, skip: skip(node.name), onColumns }),
    };
  });
  const read = async (): Promise<readonly Delivery[]> => {
    const deliveries: Delivery[] = [];
    for (const { name, paths, batches } of readers) {
      const next = await batches.next();
      if (next.done === true) continue;
      const records = next.value;
      onRead(records.reduce((bytes, { byteLength }) => bytes + byteLength + 1, 0));
      deliveries.push({ source: name, shard: FILE_SHARD, stream: paths.length === 1 ? paths[0]! : name, records });
    }
    return deliveries;
  };
  // The next ones are read while these are computed.
  let ahead = read();
  for (let deliveries = await ahead; deliveries.length > 0; deliveries = await ahead) {
    ahead = read();
    ahead.catch(() => undefined);
    yield deliveries;
  }
}
