import type { RecordStream, StreamRecord } from "./kinesis-sink.js";

interface MemoryRecordStream extends RecordStream {
  readonly records: readonly StreamRecord[];
}

/** The memory twin of a stream; `refuse` may give a record an error code instead of storing it. */
export function memoryRecordStream(refuse: (record: StreamRecord) => string | null = () => null): MemoryRecordStream {
  const records: StreamRecord[] = [];
  return {
    records,
    putRecords: async (batch) =>
      batch.map((record) => {
        const code = refuse(record);
        if (code === null) records.push(record);
        return code;
      }),
  };
}
