import { parseArgs } from "node:util";
import { diagnose } from "../../diagnosis/diagnose.js";
import type { Finding } from "../../diagnosis/finding.js";
import type { QueryProgress } from "../../runtime/progress.js";
import { type Command, EXIT, UsageError } from "../command.js";
import { plainText } from "../plain-text.js";
import { findStoredQuery, WHEREABOUTS, WHEREABOUTS_HELP } from "../stored-query.js";

const HELP = `tidemark doctor QUERY_NAME

Says what is wrong with a query, by its last 64 micro-batches: what holds the watermark back, why state grows, where late
rows come from, whether batches are near their timeout. Each finding has its evidence and a remedy. It only reads.

${WHEREABOUTS_HELP}  --json             the findings, a line each

Exit codes: 0 nothing is wrong, 1 there are findings, 2 the command line is wrong.

Examples
  tidemark doctor page-views-5min --table tidemark --bucket tidemark
  tidemark doctor flights-hourly --checkpoint .flights --json | jq .signature
`;

export const doctorCommand: Command = {
  name: "doctor",
  summary: "what is wrong with a query, and what to do about it",
  help: HELP,
  async run(args, { stdout, env }) {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...WHEREABOUTS, json: { type: "boolean", default: false } },
      allowPositionals: true,
    });
    const [query] = positionals;
    if (query === undefined) throw new UsageError("Name the query.");
    const stored = await findStoredQuery(query, values, env);
    const progress = (await stored.recentProgress()) as readonly QueryProgress[];
    const findings = diagnose({ progress, now: Date.now() });
    if (values.json) for (const finding of findings) stdout.write(`${JSON.stringify(finding)}\n`);
    else stdout.write(findings.length === 0 ? healthy(progress) : findings.map(findingText).join("\n"));
    return findings.length === 0 ? EXIT.ok : EXIT.failed;
  },
};

const healthy = (progress: readonly QueryProgress[]): string =>
  progress.length === 0
    ? "The query has committed nothing yet.\n"
    : `Nothing is wrong in the last ${progress.length} micro-batches; the watermark is at ${progress.at(-1)!.eventTime.watermark ?? "none"}.\n`;

const findingText = ({ severity, signature, evidence, remedy }: Finding): string =>
  `${severity}: ${signature}\n  ${plainText(evidence)}\n  Do: ${remedy}\n`;
