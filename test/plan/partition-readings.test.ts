import { describe, expect, it } from "vitest";
import { col, columns, count, kinesis, memory, readStream, string, timestamp, window } from "../../lib/index.js";
import { checkCompatible } from "../../lib/plan/check-compatible.js";
import { fingerprintOf } from "../../lib/plan/fingerprint.js";

/** Rows in the stream between the stages know their branch by its number (TRIALS-2 A1, with several partitions). */

const Hit = columns({ t: timestamp(), src: string(), kind: string() });
const counted = (stream: string, kind: string) =>
  readStream(kinesis({ stream, schema: Hit }))
    .withWatermark("t", "0 seconds")
    .filter(col("kind").eq(kind))
    .groupBy(window("t", "10 seconds"), "src")
    .agg({ n: count() })
    .select("src", "n");
const web = (kind: string) => counted("web", kind);

function fingerprint(plan: ReturnType<typeof counted>, statePartitions: number) {
  const { definition } = plan.writeStream({
    queryName: "trial",
    outputMode: "append",
    sink: memory(),
    options: { statePartitions },
  });
  return fingerprintOf(definition);
}

const redeploy = (partitions: number, before: ReturnType<typeof counted>, after: ReturnType<typeof counted>) => () =>
  checkCompatible(fingerprint(before, partitions), fingerprint(after, partitions));

describe("branches over one source, exchanged by a redeploy", () => {
  const former = () => web("a").union(web("b"));
  const latter = () => web("b").union(web("a"));

  it("are refused with several partitions, for rows on their way would change places", () => {
    expect(redeploy(2, former(), latter())).toThrow("state-partitions-changed");
    expect(redeploy(2, former(), former())).not.toThrow();
  });

  it("are known by what feeds them with one partition", () => {
    expect(redeploy(1, former(), latter())).not.toThrow();
  });

  it("may change places where each is of a source of its own", () => {
    const [mine, theirs] = [() => web("a"), () => counted("app", "a")];
    expect(redeploy(2, mine().union(theirs()), theirs().union(mine()))).not.toThrow();
  });
});
