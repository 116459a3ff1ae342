import { Buffer } from "node:buffer";
import type { Row } from "../../../lib/plan/schema.js";
import { kinesisSink } from "../../../lib/sinks/kinesis-sink.js";
import { decodeRows } from "../../../lib/sinks/staged-rows.js";
import type { Judge } from "../violation.js";
import type { Outputs } from "./outputs.js";

interface Mark {
  readonly incarnation: string;
  readonly batchId: number;
  readonly index: number;
}

const markOf = ({ incarnation, batchId, index }: Mark) => `${incarnation}/${batchId}/${index}`;

/** At least once: a repeat is known by its mark and holds the same bytes. */
export function kinesisOutputs(judge: Judge): Outputs {
  const stored = new Map<string, string>();

  const store = (data: Uint8Array): null => {
    const text = Buffer.from(data).toString();
    const mark = markOf((JSON.parse(text) as { tidemark: Mark }).tidemark);
    const before = stored.get(mark);
    judge.check(
      before === undefined || before === text,
      "identical-on-repeat",
      () => `record ${mark} was put twice with other bytes`,
    );
    stored.set(mark, text);
    return null;
  };

  return {
    sink: (network) =>
      kinesisSink({
        key: ["k"],
        stream: {
          // Some of a call are stored and some refused, as the service does it when a shard is full.
          putRecords: (records) =>
            network.call(`put ${records.length} records`, async () =>
              records.map(({ data }) =>
                network.choices.chance(network.faults().failed * 4)
                  ? "ProvisionedThroughputExceededException"
                  : store(data),
              ),
            ),
        },
        sleep: () => network.gate("sleep"),
        random: () => network.choices.pick(4) / 4,
      }),
    rowsOf: ({ bytes }) => decodeRows(bytes).map((row) => JSON.parse((row as { json: string }).json) as Row),
    missing({ incarnation, batchId }, parts) {
      const rows = parts.flatMap(({ bytes }) => decodeRows(bytes)) as unknown as readonly { readonly json: string }[];
      for (const [index, { json }] of rows.entries()) {
        const mark = markOf({ incarnation, batchId, index });
        const record = stored.get(mark);
        if (record === undefined) return `record ${mark}`;
        judge.check(
          record.startsWith(json.slice(0, -1)),
          "identical-on-repeat",
          () => `record ${mark} is ${record}, staged was ${json}`,
        );
      }
      return null;
    },
  };
}
