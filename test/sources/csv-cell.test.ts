import { describe, expect, it } from "vitest";
import { boolean, columns, double, int, long, string, timestamp } from "../../lib/index.js";
import { doubleText } from "../../lib/operators/evaluate/double-text.js";
import type { CsvOptions } from "../../lib/plan/connectors/file-options.js";
import { csvColumns } from "../../lib/sources/csv-payload.js";
import { compileRowDecoder } from "../../lib/sources/row-decoder.js";
import { beyondOurs, microsText, sparkValues } from "../time/spark-values.js";

const TYPES = { double, int, bigint: long, boolean, timestamp, string } as const;
type Type = keyof typeof TYPES;

/** The value of one cell, "malformed" where it is none. */
function read(type: Type, text: string, options: CsvOptions = {}, declaration = TYPES[type]()) {
  const { schema } = columns({ v: declaration });
  const { data, malformed } = csvColumns(["v"], schema, options).payload({
    cells: [{ text, quoted: false }],
    count: 1,
    cut: false,
  });
  const row = malformed ?? compileRowDecoder(schema)(data);
  return "malformed" in row ? "malformed" : row.row["v"];
}

const asText = (type: string, value: unknown): unknown => {
  if (value === null || value === "malformed") return value;
  return type === "double"
    ? doubleText(value as number)
    : type === "timestamp"
      ? microsText(value as number)
      : String(value);
};

/** What Spark's reader takes otherwise; each is listed in docs/from-spark.md. */
const OURS = new Map<string, unknown>([
  ["double 1e400", "malformed"],
  ["double -1e400", "malformed"],
  ["double 1.7976931348623159e308", "malformed"],
  ["double 0x1p3", "malformed"],
  ["double 9999999999999e5", "9.999999999999E17"],
  ["int 1.0", "1"],
  ["bigint 1.0", "1"],
  ["int \u0661", "malformed"],
  ["bigint \u0661", "malformed"],
  ["timestamp 2014-04-01t01:02:03", "1396314123000000"],
  ["timestamp 2014-04-01 01:02:03,5", "1396314123500000"],
  ["timestamp 2014-04-01T01:02:03z", "1396314123000000"],
  ["timestamp 2014-04-01T01:02Z", "1396314120000000"],
  ["timestamp T01:02:03", "malformed"],
  ["timestamp 01:02:03", "malformed"],
  ["timestamp 12:34", "malformed"],
  ["timestamp 1396310000", "1396310000000"],
  ["timestamp 1396310000000", "1396310000000000"],
  ["timestamp 1671562498449.0", "1671562498449000"],
  ["timestamp 20140401", "20140401000"],
]);

describe("cells", () => {
  it("TRIALS-2 C4, C5: are read as Spark's CSV reader reads them", () => {
    for (const [type, text, spark] of sparkValues<[Type, string, string | null | { malformed: true }]>("csv-cells")) {
      const value = typeof spark === "object" && spark !== null ? "malformed" : spark;
      const refused =
        type === "timestamp" && value !== "malformed" && beyondOurs(value as string | null) ? "malformed" : value;
      const key = `${type} ${text}`;
      expect([type, text, asText(type, read(type, text))]).toEqual([
        type,
        text,
        OURS.has(key) ? OURS.get(key) : refused,
      ]);
    }
  });

  it("TRIALS-2 C4: are null where they are empty or of nullValue", () => {
    const options = { nullValue: ["NA", "-"] };
    expect(["NA", "-", "", "N/A", "7"].map((text) => read("double", text, options))).toEqual([
      null,
      null,
      null,
      "malformed",
      7,
    ]);
    expect(read("string", "NA", { nullValue: "NA" })).toBeNull();
  });

  it("lose blanks where the options say so, and keep them in quotes", () => {
    expect(read("bigint", " 7 ")).toBe("malformed");
    expect(read("bigint", " 7 ", { ignoreLeadingWhiteSpace: true, ignoreTrailingWhiteSpace: true })).toBe(7);
    expect(read("string", " a ", { ignoreLeadingWhiteSpace: true })).toBe("a ");
  });

  it("are timestamps by timestampFormat, or by the column's own format or unit", () => {
    const options = { timestampFormat: "MMM d yyyy" };
    expect(read("timestamp", "Jan 1 2000", options)).toBe(Date.UTC(2000, 0, 1));
    expect(read("timestamp", "2000-01-01", options)).toBe("malformed");
    expect(read("timestamp", "2000/1/1", options, timestamp({ format: "y/M/d" }))).toBe(Date.UTC(2000, 0, 1));
    expect(read("timestamp", "1396310000", {}, timestamp("seconds"))).toBe(1396310000000);
    expect(read("timestamp", "2014", {}, timestamp("seconds"))).toBe(2014000);
    expect(
      read("timestamp", "1.1.2000 01:00", { timestampFormat: "d.M.y HH:mm" }, timestamp({ timeZone: "+01:00" })),
    ).toBe(Date.UTC(2000, 0, 1));
  });
});
