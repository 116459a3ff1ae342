import { SINKS } from "./connectors/catalogue.js";
import { FACTORY_REFUSALS } from "./factory-refusals.js";
import type { OutputMode } from "./logical-plan.js";
import { REFUSALS, type Refusal } from "./refusals.js";

/** Every refusal by code, alphabetically. */
export const ALL_REFUSALS: readonly (readonly [code: string, refusal: Refusal])[] = Object.freeze(
  (Object.entries({ ...REFUSALS, ...FACTORY_REFUSALS }) as [string, Refusal][]).sort(([a], [b]) => (a < b ? -1 : 1)),
);

/** `docs/refusals.md`, whole. */
export function refusalsPage(): string {
  const entries = ALL_REFUSALS.map(([code, { what, spark, reason, remedy }]) =>
    [
      `### \`${code}\`\n`,
      ...wrapped(`Refused: ${what}. ${reason}`),
      "",
      ...wrapped(`Remedy: ${remedy}`),
      ...(spark.length === 0
        ? []
        : ["", ...wrapped(`Spark: ${spark.map((condition) => `\`${condition}\``).join(", ")}`)]),
    ].join("\n"),
  );
  return `# Refusals

What Tidemark will not run. The verb says it where the columns suffice, \`writeStream()\` where the whole query is needed.
Codes are stable. "Spark" is the error condition that Spark 4.3 gives for the same; without it, Spark has none, or
accepts the query. Spark's offset and its window functions that are not over time have no verb here at all.

This page is made from \`lib/plan/refusals.ts\` and \`lib/plan/factory-refusals.ts\`; a test compares it.

## By code

${entries.join("\n\n")}

## Which sink takes which output mode

| sink | append | update | complete |
|---|---|---|---|
${Object.entries(SINKS).map(sinkRow).join("\n")}
`;
}

/** Lines of at most 118 characters, broken between words. */
function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < 118) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const sinkRow = ([sink, { outputModes }]: readonly [string, { readonly outputModes: readonly OutputMode[] }]): string =>
  `| \`${sink}()\` | ${(["append", "update", "complete"] as const).map((mode) => (outputModes.includes(mode) ? "yes" : "–")).join(" | ")} |`;
