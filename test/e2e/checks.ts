import { checkAdClicks } from "./ad-clicks.js";
import { openDeployment } from "./deployment.js";
import { checkFlights } from "./flights.js";
import { checkOrders } from "./orders.js";
import { checkPageViews } from "./page-views.js";
import { consoleReport } from "./report.js";

const CHECKS = { "page views": checkPageViews, flights: checkFlights, "ad clicks": checkAdClicks, orders: checkOrders };

/**
 * Everything that is checked of freshly deployed example stacks, on whatever answers at AWS_ENDPOINT_URL: fresh, because they are
 * drained at the end. Returns the number of failed checks.
 */
export async function runChecks(outputsFile: string, write: (line: string) => void): Promise<number> {
  const deployment = await openDeployment(outputsFile);
  const report = consoleReport(write);
  for (const [title, check] of Object.entries(CHECKS)) {
    const began = Date.now();
    write(`\n${title}`);
    try {
      await check(deployment, report);
    } catch (error) {
      report.that("runs to its end", false, (error as Error).message);
    }
    write(`  ${((Date.now() - began) / 1000).toFixed(1)} s`);
  }
  write(`\n${report.checks - report.failures} of ${report.checks} checks hold`);
  return report.failures;
}
