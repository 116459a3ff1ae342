import type { DataType, Field, Schema } from "../../lib/plan/schema.js";
import { pick, type Random } from "./random.js";

const NAMES = ["t", "page", "n", "price", "flag", "tags", "user", "at", "i", "caffè", "a b", "toString", "x1", "x2"];

const SIMPLE: readonly DataType[] = [
  "timestamp",
  "string",
  "long",
  "int",
  "double",
  "boolean",
  "timestamp_ntz",
  "json",
  { array: "long" },
  { struct: [{ name: "id", type: "long", nullable: true }] },
];

export function randomSchema(random: Random): Schema {
  const fields: Field[] = [];
  const count = 1 + Math.floor(random() * 7);
  for (let i = 0; i < count; i++) {
    const name = pick(random, NAMES);
    if (fields.some((field) => field.name === name)) continue;
    // The first few types are what most columns are.
    const type = SIMPLE[Math.floor(random() * random() * SIMPLE.length)]!;
    const reading = type === "timestamp" && random() < 0.15 ? { reading: { unit: "seconds" } as const } : {};
    fields.push({ name, type, nullable: random() < 0.8, ...reading });
  }
  return { fields };
}
