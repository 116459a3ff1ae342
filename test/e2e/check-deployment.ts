/** `npm run e2e:checks -- outputs.json`: the checks alone, against stacks that are deployed already (LocalStack, AWS). */
import { runChecks } from "./checks.js";

const outputsFile = process.argv[2];
if (outputsFile === undefined) {
  process.stderr.write("Usage: npm run e2e:checks -- FILE, where FILE is what cdk deploy --outputs-file wrote.\n");
  process.exitCode = 2;
} else {
  const failures = await runChecks(outputsFile, (line) => process.stdout.write(`${line}\n`));
  process.exitCode = failures === 0 ? 0 : 1;
}
