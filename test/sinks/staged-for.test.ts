import { expect, it } from "vitest";
import { stagedFor } from "../../lib/sinks/staged-for.js";

const part = (sink: string) => ({ output: "result", sink, bytes: new Uint8Array() }) as const;

it("gives a sink the parts that were staged for its kind", () => {
  const parts = [part("s3"), part("s3")];
  expect(stagedFor("s3", parts)).toBe(parts);
});

it("stops a sink from publishing what waits for another", () => {
  expect(() => stagedFor("dynamodb", [part("dynamodb"), part("s3")])).toThrow("sink-changed");
});
