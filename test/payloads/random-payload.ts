import { Buffer } from "node:buffer";
import { gzipSync } from "node:zlib";
import type { DataType, Field, Schema } from "../../lib/plan/schema.js";
import { chance, pick, type Random } from "./random.js";

const NUMBERS = [
  "0",
  "-0",
  "1",
  "-1",
  "7",
  "42",
  "-13",
  "2147483647",
  "2147483648",
  "-2147483648",
  "-2147483649",
  "999999999999999",
  "9007199254740991",
  "9007199254740992",
  "9007199254740993",
  "-9007199254740993",
  "9223372036854775807",
  "9223372036854775808",
  "-9223372036854775808",
  "1e3",
  "1E3",
  "1e400",
  "-1e400",
  "1e-400",
  "0.1",
  "-0.0",
  "0.30000000000000004",
  "1.5",
  "12345.678901",
  "123456789012345.6",
  "0.1234567890123456789",
  "1.0",
  "1e15",
  "01",
  "-",
  "+1",
  "1.",
  ".5",
  "1e",
  "0x1",
  "253402300799999",
  "253402300800000",
  "-62135596800000",
  "1700000000000",
  "1700000000000.123",
  "4503599627370497.5",
];
const TIMES = [
  "2026-11-30T10:00:00Z",
  "2026-11-30T10:00:00.123Z",
  "2026-11-30T10:00:00.123456Z",
  "2026-11-30T10:00:00.000001Z",
  "2026-11-30T10:00:00.999999Z",
  "2026-02-29T10:00:00Z",
  "2024-02-29T23:59:59.999Z",
  "2026-11-30T24:00:00Z",
  "2026-11-30T10:60:00Z",
  "2026-11-30T10:00:60.000Z",
  "2026-11-30 10:00:00Z",
  "2026-11-30t10:00:00z",
  "2026-11-30",
  "2026-11-30T10:00",
  "2026-11-30T10:00:00+02:00",
  "2026-11-30T10:00:00,5Z",
  "1969-12-31T23:59:59.999Z",
  "1600-01-01T00:00:00.000001Z",
  "2199-12-31T23:59:59.999999Z",
  "2200-01-01T00:00:00.000Z",
  "9999-12-31T23:59:59.999Z",
  "2041-01-01T00:00:00.000001Z",
  "2026-1-30T10:00:00.000Z",
  "2026-11-3AT10:00:00.000Z",
  "2026-11-30T1 :00:00.000Z",
  "2026-00-10T00:00:00.000Z",
  "",
];
const TEXTS = [
  "",
  "a",
  "/p/17",
  "u1",
  "plain text",
  "caffè",
  "日本",
  "😀",
  "NaN",
  "Infinity",
  "-Infinity",
  "\u2028",
  "\uFFFD",
  "\uFEFF",
  "\u007f",
  "a".repeat(300),
  "constructor",
];
const ESCAPES = [
  '"\\n"',
  '"\\u0041"',
  '"\\ud83d\\ude00"',
  '"\\ud800"',
  '"a\\"b"',
  '"\\\\"',
  '"\\/"',
  '"\\x"',
  '"\\u12"',
  '"\\',
  '"a\tb"',
];
const NESTED = [
  "[]",
  "[1,2]",
  "[1,null,9007199254740993]",
  '{"id":1}',
  '{"id":9007199254740993}',
  '{"id":"x"}',
  "{}",
  '{"__proto__":1}',
  '[{"a":[{"b":null}]}]',
  "[1,]",
  '{"a"}',
  `${"[".repeat(40)}${"]".repeat(40)}`,
  `${"[".repeat(70)}${"]".repeat(70)}`,
];

const textOf = (random: Random): string =>
  chance(random, 0.05) ? pick(random, ESCAPES) : JSON.stringify(pick(random, TEXTS));

/** The first ones are what most records have. */
const mostlyFirst = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() ** 4 * items.length)]!;

/** The text of a value that mostly fits the type. */
function memberText(random: Random, type: DataType): string {
  if (chance(random, 0.03)) return pick(random, ["null", "true", "false", "nul", "NaN", "Infinity", "undefined"]);
  if (chance(random, 0.02)) return pick(random, [...NESTED, pick(random, NUMBERS), textOf(random)]);
  switch (type) {
    case "timestamp":
    case "timestamp_ntz":
      return chance(random, 0.05) ? pick(random, NUMBERS) : JSON.stringify(mostlyFirst(random, TIMES));
    case "string":
      return textOf(random);
    case "long":
    case "int":
    case "double":
      return chance(random, 0.15)
        ? pick(random, NUMBERS)
        : String(Math.floor(random() * 1e6) / (type === "double" ? 100 : 1)).replace(
            type === "double" ? "" : /\..*/,
            "",
          );
    case "boolean":
      return pick(random, ["true", "false"]);
    default:
      return pick(random, [...NESTED, pick(random, NUMBERS), textOf(random), "true"]);
  }
}

const blank = (random: Random): string => (chance(random, 0.05) ? pick(random, [" ", "\t", "\r\n", "  "]) : "");

function membersOf(random: Random, fields: readonly Field[]): string[] {
  const members: string[] = [];
  for (const { name, type } of fields) {
    if (chance(random, 0.05)) continue;
    const spelled = chance(random, 0.02)
      ? JSON.stringify(name).replace(/[a-z]/, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)
      : JSON.stringify(name);
    members.push(`${spelled}${blank(random)}:${blank(random)}${memberText(random, type)}`);
  }
  if (chance(random, 0.4))
    members.push(
      `${JSON.stringify(pick(random, ["other", "device", "__proto__", "é", "x9"]))}:${memberText(random, "string")}`,
    );
  if (chance(random, 0.03)) members.push(...members.slice(0, 1));
  if (chance(random, 0.03)) members.push(`"other":1`, `"other":{"a":[${memberText(random, "json")}]}`);
  if (chance(random, 0.15)) members.sort(() => random() - 0.5);
  return members;
}

/** One payload: mostly an object of the schema, whole; some broken at a byte, cut, doubled, compressed, or no object at all. */
export function randomPayload(random: Random, schema: Schema): Buffer {
  const text = `${blank(random)}{${blank(random)}${membersOf(random, schema.fields).join(`${blank(random)},${blank(random)}`)}${blank(random)}}${blank(random)}`;
  const bytes = Buffer.from(text, "utf8");
  const fate = random();
  if (fate < 0.84) return bytes;
  const at = Math.floor(random() * bytes.length);
  if (fate < 0.89) {
    bytes[at] = Math.floor(random() * 256);
    return bytes;
  }
  if (fate < 0.92) return bytes.subarray(0, at);
  if (fate < 0.95) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
  if (fate < 0.96) return Buffer.concat([bytes, bytes]);
  if (fate < 0.97) return Buffer.concat([Buffer.from("\uFEFF"), bytes]);
  if (fate < 0.98) return gzipSync(bytes);
  return Buffer.from(
    pick(random, ["", " ", "null", "1", "[]", '"x"', "{", "}", "{}", "{,}", '{"a":1,}', "{}{}", "{} x"]),
  );
}
