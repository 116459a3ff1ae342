import { describe, expect, it } from "vitest";
import { decodeBody, decodeHead } from "../../lib/shuffle/shuffle-codec.js";
import { type CrossingRow, type EntryFacts, type EntryRecord, entryRecords } from "../../lib/shuffle/shuffle-parts.js";
import type { EntryHead } from "../../lib/shuffle/shuffle-record.js";

const schema = { fields: [{ name: "user", type: "string", nullable: true } as const] };
const facts: EntryFacts = {
  head: { query: "q", incarnation: "1", generation: 2, source: "clicks", shard: "shard-0", batchId: 3 },
  stream: "clicks-stream",
  marker: { register: { readThrough: 50, newestArrival: 50, steps: {} }, newestArrival: 50 },
  schemaOf: () => schema,
};
const row = (user: string, sequence: number): CrossingRow => ({
  row: { user },
  input: "1:clicks",
  origin: { sequence: String(sequence), sub: 0, arrival: 50 },
});
const read = ({ data }: EntryRecord) => {
  const { head, body } = decodeHead(data);
  const { inputs, marker, stream } = decodeBody(body, () => schema);
  const { partition, part, parts, rows } = head as EntryHead;
  return {
    partition,
    part,
    parts,
    rows,
    stream,
    users: inputs.flatMap(({ rows: own }) => own.map(({ user }) => user)),
    marker,
  };
};

describe("the records of an entry", () => {
  it("are one at least for every partition, rows or none, with the marker in each last part [CS12, CS13]", () => {
    const { records, tooLarge } = entryRecords(facts, [[row("a", 1), row("b", 2)], []]);
    expect(tooLarge).toEqual([]);
    expect(records.map(read)).toEqual([
      { partition: 0, part: 1, parts: 1, rows: 2, stream: "clicks-stream", users: ["a", "b"], marker: facts.marker },
      { partition: 1, part: 1, parts: 1, rows: 0, stream: "clicks-stream", users: [], marker: facts.marker },
    ]);
  });

  it("are parts of at most so many rows, in order; only the last speaks of the shard", () => {
    const rows = ["a", "b", "c", "d", "e"].map(row);
    const { records } = entryRecords(facts, [rows], { bytes: 1_000_000, rows: 2 });
    expect(records.map(read).map(({ part, parts, users, marker }) => [part, parts, users, marker !== null])).toEqual([
      [1, 3, ["a", "b"], false],
      [2, 3, ["c", "d"], false],
      [3, 3, ["e"], true],
    ]);
  });

  it("keep within their bytes; a row that fits in none is named, and the others go", () => {
    // What does not compress.
    const noise = (length: number) =>
      Array.from({ length }, (_, at) => String.fromCharCode(33 + (((at * 7_919) ^ (at >> 3)) % 90))).join("");
    const large = row(noise(6_000), 2);
    const limits = { bytes: 2_000, rows: 100 };
    const { records, tooLarge } = entryRecords(facts, [[row("a", 1), large, row("b", 3)]], limits);
    expect(tooLarge).toEqual([large]);
    expect(records.map(read).flatMap(({ users }) => users)).toEqual(["a", "b"]);
    for (const record of records) expect(record.data.length).toBeLessThanOrEqual(2_000);
  });

  it("are read by newer code with a column more as NULL, and by one with a column less without it (S20)", () => {
    const { records } = entryRecords(facts, [[row("a", 1)]]);
    const { body } = decodeHead(records[0]!.data);
    const wider = { fields: [{ name: "page", type: "string", nullable: true } as const, ...schema.fields] };
    expect(decodeBody(body, () => wider).inputs[0]!.rows).toEqual([{ page: null, user: "a" }]);
    expect(decodeBody(body, () => ({ fields: [] })).inputs[0]!.rows).toEqual([{}]);
  });
});
