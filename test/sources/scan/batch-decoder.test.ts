import { expect, it } from "vitest";
import { TextVector } from "../../../lib/columns/text-vector.js";
import type { Schema } from "../../../lib/plan/schema.js";
import { compileRowDecoder } from "../../../lib/sources/row-decoder.js";
import { compileBatchDecoder } from "../../../lib/sources/scan/batch-decoder.js";
import type { Payload } from "../../../lib/sources/source.js";
import { compareDecoders } from "../../payloads/compare-decoders.js";

const schema: Schema = {
  fields: [
    { name: "t", type: "timestamp", nullable: true },
    { name: "page", type: "string", nullable: true },
    { name: "n", type: "long", nullable: false },
  ],
};

/** With a count of the payloads that reach the row decoder. */
function decoder(wanted: readonly string[] | null = null) {
  const decode = compileRowDecoder(schema);
  const asked: string[] = [];
  const told = Object.assign(
    (bytes: Uint8Array) => {
      asked.push(Buffer.from(bytes).toString());
      return decode(bytes);
    },
    {
      batch: (payloads: readonly Payload[]) => {
        asked.push(...payloads.map(({ data }) => Buffer.from(data).toString()));
        return decode.batch!(payloads);
      },
    },
  );
  const scan = compileBatchDecoder(schema, told, {
    wanted: wanted === null ? null : new Set(wanted),
    declines: () => false,
  });
  return { asked, scan: (...texts: readonly string[]) => scan(texts.map((text) => ({ data: Buffer.from(text) }))) };
}

const line = '{"t":"2026-11-30T10:00:00.123456Z","page":"/a","n":7}';

it("reads columns without asking the row decoder", () => {
  const { asked, scan } = decoder();
  const { table } = scan(line, '{"n":-0, "page" : null}', '{"n":12,"other":[{"a":"\\n"}],"page":"caffè"}');
  expect([0, 1, 2].map((row) => table.row(row))).toEqual([
    { t: 1796032800123.456, page: "/a", n: 7 },
    { t: null, page: null, n: 0 },
    { t: null, page: "caffè", n: 12 },
  ]);
  expect(asked).toEqual([]);
});

it("declines a record alone, and its neighbours not", () => {
  const { asked, scan } = decoder();
  const big = '{"n":9007199254740993}';
  const { table, malformed } = scan(line, big, '{"n":1,"n":2}', '{"n":"1"}', '{"page":"a"}', line);
  expect(asked).toEqual([big, '{"n":1,"n":2}', '{"n":"1"}', '{"page":"a"}']);
  expect([0, 1, 2, 5].map((row) => table.column("n").get(row))).toEqual([7, 9007199254740993n, 2, 7]);
  expect([...malformed]).toEqual([
    [3, { malformed: "schema-violation", detail: "column 'n': expected bigint, got string" }],
    [4, { malformed: "schema-violation", detail: "column 'n' is null or missing, and it is declared not nullable" }],
  ]);
});

it("checks members that nobody reads", () => {
  const { scan } = decoder(["n"]);
  const { malformed } = scan('{"n":1,"other":tru}', '{"n":1,"page":2}', '{"n":1} {"n":1}', '{"n":1,"t":"yesterday"}');
  expect([...malformed.values()].map(({ malformed }) => malformed)).toEqual([
    "not-json",
    "schema-violation",
    "not-json",
    "schema-violation",
  ]);
});

it("decodes what was not read when somebody asks for it", () => {
  const { asked, scan } = decoder(["n"]);
  const { table } = scan(line, '{"n":2,"page":"/b"}');
  expect([table.column("n").get(0), asked]).toEqual([7, []]);
  expect(table.column("page").get(1)).toBe("/b");
  expect(table.row(0)).toEqual({ t: 1796032800123.456, page: "/a", n: 7 });
  expect(asked).toEqual(['{"n":2,"page":"/b"}', line]);
});

it("gives equal texts one number", () => {
  const { scan } = decoder();
  const column = scan('{"n":1,"page":"x"}', '{"n":1,"page":"y"}', '{"n":1,"page":"\\u0078"}').table.column("page");
  expect(column).toBeInstanceOf(TextVector);
  const { ids } = column as TextVector;
  expect([ids[0] === ids[2], ids[0] === ids[1]]).toEqual([true, false]);
});

it("counts a payload for which the row decoder has no answer as lost", () => {
  const silent = () => ({}) as never;
  const scan = compileBatchDecoder(schema, silent, { declines: () => false });
  expect(scan([{ data: Buffer.from(line) }, { data: Buffer.from("{}") }]).lost).toEqual([1]);
});

it("agrees with the row decoder on random payloads", () => {
  for (let seed = 1; seed <= 250; seed++) expect(compareDecoders(seed).difference).toBeNull();
});
