import { userError } from "../errors.js";

/** SQL text where an expression is wanted: `df.filter("temp > 20")`, which no compiler of ours reads. */
export const sqlText = (verb: string, text: string) =>
  userError(
    "not-a-condition",
    `${verb}(${JSON.stringify(text)}) holds SQL text, which is not read.`,
    `Write an expression, as in ${verb}(col("temp").gt(20)), or a function, as in ${verb}((row) => row.temp > 20).`,
  );

/** `agg({ n: "count" })`, as a dictionary of Spark's has it the other way round, or anything else that is no aggregate. */
export const noAggregate = (name: string, value: unknown) =>
  userError(
    "option-invalid",
    `The aggregate '${name}' cannot be ${typeof value === "function" ? "a function" : JSON.stringify(value)}.`,
    `Call one, as in agg({ ${name}: ${typeof value === "string" && /^[a-z]+$/i.test(value) ? `${value}("column")` : "count()"} }).`,
  );
