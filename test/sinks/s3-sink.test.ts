import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { OutputFormat } from "../../lib/sinks/output-format.js";
import { PARQUET } from "../../lib/sinks/parquet-format.js";
import { s3Sink } from "../../lib/sinks/s3-sink.js";
import { identityOf, outputBatch, sinkContract } from "../contract/sink.js";

const open = (format?: OutputFormat) => {
  const objects = new Map<string, string>();
  const put = async (key: string, bytes: Uint8Array) => {
    objects.set(key, Buffer.from(bytes).toString("base64"));
  };
  return {
    sink: s3Sink({ store: { put }, prefix: "out/", ...(format && { format }) }),
    objects,
    world: () => new Map([...objects].sort()),
  };
};
const DAY_TWO = Date.UTC(2024, 0, 2);

sinkContract("s3", { open: () => open() });
sinkContract("s3 with Parquet", { open: () => open(PARQUET) });

describe("s3Sink", () => {
  it("puts one gzipped object per day of event time, rows without time by their arrival", async () => {
    const { sink, objects } = open();
    const rows = [
      { id: "b", eventTime: DAY_TWO },
      { id: "a", eventTime: DAY_TWO - 1 },
      { id: "c", eventTime: null },
    ];
    await sink.publish(identityOf(3), sink.stage(outputBatch(rows)));
    const read = [...objects].map(([key, bytes]) => [
      key.slice("out/page-views/1704067200000/".length),
      gunzipSync(Buffer.from(bytes, "base64"))
        .toString()
        .match(/"id":"."/g)
        ?.join(),
    ]);
    expect(read).toEqual([
      ["dt=2024-01-01/0000-0000000000000003.jsonl.gz", '"id":"a"'],
      ["dt=2024-01-02/0000-0000000000000003.jsonl.gz", '"id":"b"'],
      ["dt=2024-01-03/0000-0000000000000003.jsonl.gz", '"id":"c"'],
    ]);
  });

  it("dates a row by the start of its window", () => {
    const window = { start: DAY_TWO - 1, end: DAY_TWO + 1 };
    const parts = open().sink.stage({ ...outputBatch([{ window }]), timeColumn: "window" });
    expect(parts.map((part) => part.dt)).toEqual(["2024-01-01"]);
  });

  it("writes no time and no platform into the gzip header", () => {
    const bytes = open().sink.stage(outputBatch([{ id: "a" }]))[0]?.bytes;
    expect([...(bytes ?? []).slice(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
  });

  it("writes results in the format that it is given, side outputs always as JSON lines", async () => {
    const { sink, objects } = open(PARQUET);
    const batch = outputBatch([{ id: "a", eventTime: DAY_TWO }]);
    await sink.publish(identityOf(1), [...sink.stage(batch), ...sink.stage({ ...batch, output: "late" })]);
    const starts = [...objects].map(([key, bytes]) => [
      key.split("/").at(-1),
      Buffer.from(bytes, "base64").subarray(0, 2),
    ]);
    expect(starts).toEqual([
      ["0000-0000000000000001.parquet", Buffer.from("PA")],
      ["0000-0000000000000001.jsonl.gz", Buffer.from([0x1f, 0x8b])],
    ]);
  });

  it("publishes what was staged before the format changed as it was staged", async () => {
    const { sink, objects } = open(PARQUET);
    await sink.publish(identityOf(1), open().sink.stage(outputBatch([{ id: "a", eventTime: DAY_TWO }])));
    expect([...objects.keys()][0]?.endsWith("/0000-0000000000000001.jsonl.gz")).toBe(true);
  });

  it("says that the sink is unavailable, and that a retry helps, when a put fails", async () => {
    const put = () => Promise.reject(new Error("503"));
    const sink = s3Sink({ store: { put }, prefix: "" });
    await expect(sink.publish(identityOf(1), sink.stage(outputBatch([{ id: "a" }])))).rejects.toMatchObject({
      code: "sink-unavailable",
      retry: true,
    });
  });
});
