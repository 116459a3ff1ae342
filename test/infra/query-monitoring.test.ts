import { Duration } from "aws-cdk-lib";
import { describe, expect, it } from "vitest";
import type { AlarmThresholds } from "../../infra/alarm-thresholds.js";
import { synthesise } from "./support.js";

const { template } = synthesise();
const alarms = Object.values(template.findResources("AWS::CloudWatch::Alarm")).map((alarm) => alarm["Properties"]);

describe("QueryMonitoring", () => {
  it("TRIALS-2 D4: says in each alarm what to do, and rings for silence where the tick would have spoken", () => {
    const silent = [];
    for (const alarm of alarms) {
      expect(alarm.AlarmDescription, JSON.stringify(alarm)).toMatch(/^page-views-5min: .{60,}\.$/s);
      if (alarm.TreatMissingData === "breaching") silent.push(alarm.MetricName);
      else expect(alarm.TreatMissingData).toBe("notBreaching");
    }
    expect(silent.sort()).toEqual(["readThroughLag", "watermarkLag"]);
  });

  it("takes its thresholds from the query's props", () => {
    const thresholds = (given: AlarmThresholds) =>
      Object.fromEntries(
        Object.values(synthesise({ alarms: given }).template.findResources("AWS::CloudWatch::Alarm")).map((alarm) => [
          alarm["Properties"].MetricName ?? "share",
          alarm["Properties"].Threshold,
        ]),
      );
    const minute = 60_000;
    expect(thresholds({})).toMatchObject({
      watermarkLag: 70 * minute,
      readThroughLag: 30 * minute,
      numLateInputRows: 10_000,
      lateRowsFactor: 5,
      malformedRows: 0,
      conflicts: 1,
    });
    expect(
      thresholds({ watermarkLag: Duration.hours(10), lateRows: 7, lateStep: 2, malformedRows: 3, conflicts: 4 }),
    ).toMatchObject({
      watermarkLag: 610 * minute,
      numLateInputRows: 7,
      lateRowsFactor: 2,
      malformedRows: 3,
      conflicts: 4,
    });
  });

  it("rings at a tenth and at half of the stream's retention", () => {
    const ages = alarms.filter(({ MetricName }) => MetricName === "IteratorAge").map(({ Threshold }) => Threshold);
    const week = 7 * 86_400_000;
    expect(ages.sort((a, b) => a - b)).toEqual([week / 10, week / 2]);
  });

  it("watches every fault that operations.md names", () => {
    const metrics = new Set(alarms.flatMap(({ MetricName, Metrics }) => MetricName ?? Metrics[0].Label));
    for (const name of [
      "watermarkLag",
      "readThroughLag",
      "errorFindings",
      "lateRowsFactor",
      "numLateInputRows",
      "IteratorAge",
      "Errors",
      "failedRecords",
      "Throttles",
      "Duration",
      "stateBytes",
      "malformedRows",
      "conflicts",
      "ApproximateNumberOfMessagesVisible",
    ])
      expect([...metrics], name).toContain(name);
    expect([...metrics].some((label) => /growth of the hourly minimum/.test(label))).toBe(true);
  });

  it("leaves out the alarms on metric math alone, where a server lacks it", () => {
    const kept = Object.values(
      synthesise({ alarmsOnExpressions: false }).template.findResources("AWS::CloudWatch::Alarm"),
    ).map((alarm) => alarm["Properties"]);
    expect(kept.every(({ MetricName }) => MetricName !== undefined)).toBe(true);
    expect(kept).toHaveLength(alarms.filter(({ MetricName }) => MetricName !== undefined).length);
  });

  it("has one dashboard with event time, state and function on it", () => {
    const [dashboard] = Object.values(template.findResources("AWS::CloudWatch::Dashboard"));
    const body = JSON.stringify(dashboard!["Properties"].DashboardBody);
    for (const title of ["Watermark behind the clock", "State rows", "Iterator age", "Late and malformed"])
      expect(body).toContain(title);
  });
});
