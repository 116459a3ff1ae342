import { typeText } from "../../lib/plan/data-type.js";
import { errorDiffers } from "./compare.js";
import { defineCase } from "./define-case.js";
import { corrected, type Deviation } from "./deviations.js";
import type { Driver } from "./driver.js";
import { type GoldenCase, type GoldenError, SCRIPTED } from "./golden-case.js";

/** Differences in words; empty: the case passes. */
export async function runCase(
  recorded: GoldenCase,
  driver: Driver,
  deviations: ReadonlyMap<string, Deviation>,
): Promise<readonly string[]> {
  const golden = corrected(recorded, deviations.get(recorded.name));
  const { refused, steps } = await driver.run(golden);
  const refusal = refusalOf(golden);
  if (refused !== undefined) {
    return refusal === undefined ? [`refused: ${refused.message}`] : errorDiffers(refusal, refused);
  }
  if (golden.expect !== undefined) return [`not refused, expected ${JSON.stringify(golden.expect.error)}`];
  return [...columnDifferences(golden), ...driver.compare(golden, steps)];
}

/** Refused at the start, or later, where a refusal when the query is built is as good (DATA.md section 11). */
function refusalOf(golden: GoldenCase): GoldenError | undefined {
  const later = golden.steps.find((step) => step.expect?.error !== undefined && step.expect.error.class !== SCRIPTED);
  return golden.expect?.error ?? later?.expect?.error;
}

function columnDifferences(golden: GoldenCase): string[] {
  if (golden.outputColumns === undefined) return [];
  const { schema } = defineCase(golden, golden.query, golden.conf).plan;
  const actual = schema.fields.map(({ name, type }) => `${name} ${typeText(type)}`).join(", ");
  const expected = golden.outputColumns.map(({ name, type }) => `${name} ${type}`).join(", ");
  return actual === expected ? [] : [`columns are ${actual}, expected ${expected}`];
}
