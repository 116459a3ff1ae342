import { expect, test } from "vitest";
import { array, boolean, columns, double, int, json, long, string, struct, timestamp } from "../../lib/index.js";
import { codeOf } from "../plan/plans.js";

const Order = columns({
  at: timestamp().notNull(),
  id: string(),
  cents: long(),
  n: int(),
  ratio: double(),
  paid: boolean(),
  tags: array(string()),
  place: struct({ lat: double().notNull() }),
  extra: json<{ a: number }>(),
});

const validate = (value: unknown) => Order["~standard"].validate(value);

test("columns declare a schema in order, nullable unless said otherwise", () => {
  expect(Order.schema.fields.map(({ name }) => name)).toEqual([
    "at",
    "id",
    "cents",
    "n",
    "ratio",
    "paid",
    "tags",
    "place",
    "extra",
  ]);
  expect(Order.schema.fields[0]).toEqual({ name: "at", type: "timestamp", nullable: false });
  expect(Order.schema.fields[7]).toEqual({
    name: "place",
    type: { struct: [{ name: "lat", type: "double", nullable: false }] },
    nullable: true,
  });
});

test("columns are a Standard Schema: a value becomes a row, what is missing null", () => {
  expect(validate({ at: "2024-01-01T00:00:00.000001Z", id: "a", tags: ["x"], place: { lat: 1 }, more: 1 })).toEqual({
    value: {
      at: 1_704_067_200_000.001,
      id: "a",
      cents: null,
      n: null,
      ratio: null,
      paid: null,
      tags: ["x"],
      place: { lat: 1 },
      extra: null,
    },
  });
});

test("the value that was validated is left as it was", () => {
  const value = { at: "2024-01-01T00:00:00Z" };
  validate(value);
  expect(value).toEqual({ at: "2024-01-01T00:00:00Z" });
});

test("what does not fit is an issue, not an exception", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  for (const value of [{}, { at: "yesterday" }, { at: 0, n: 2 ** 40 }, 5, null, undefined, cyclic, { at: 0, id: 1n }]) {
    expect(validate(value)).toHaveProperty("issues");
  }
});

test("names that would break a row are refused", () => {
  expect(codeOf(() => columns({ constructor: string() }))).toBe("column-name");
  expect(codeOf(() => columns(JSON.parse('{"__proto__": {"type": "string"}}')))).toBe("column-name");
});

test("a column without a type is refused with what to write instead, for those without the compiler", () => {
  const untyped = { array, columns, struct } as unknown as Record<string, (declaration?: unknown) => unknown>;
  const wrong = [
    () => untyped["array"]!(),
    () => untyped["array"]!(null),
    () => untyped["array"]!("string"),
    () => untyped["array"]!(string),
    () => untyped["columns"]!({ tags: array }),
    () => untyped["columns"]!({ id: undefined }),
    () => untyped["struct"]!({ lat: double }),
    () => untyped["struct"]!(),
    () => untyped["columns"]!(),
  ];
  expect(wrong.map(codeOf)).toEqual(wrong.map(() => "column-declaration"));
  expect(wrong[0]).toThrow("The element of array() is not declared by a type.");
  expect(wrong[4]).toThrow("The column 'tags' is not declared by a type.");
});
