import { expect, test } from "vitest";
import { createCaughtUp } from "../../../lib/local/event-source-mapping/caught-up.js";

function asked() {
  const caughtUp = createCaughtUp();
  let settled = false;
  const ask = () => {
    settled = false;
    void caughtUp.wait().then(() => {
      settled = true;
    });
  };
  const isSettled = async () => {
    await Promise.resolve();
    return settled;
  };
  return { caughtUp, ask, isSettled };
}

test("only a listing and reads that began after the question answer it", async () => {
  const { caughtUp, ask, isSettled } = asked();
  const earlyListing = caughtUp.beginListing();
  const earlyRead = caughtUp.beginRead("a");
  ask();
  earlyListing(["a", "b"]);
  earlyRead();
  expect(await isSettled()).toBe(false);
  caughtUp.beginListing()(["a", "b"]);
  caughtUp.beginRead("a")();
  expect(await isSettled()).toBe(false);
  caughtUp.beginRead("b")();
  expect(await isSettled()).toBe(true);
});

test("a drained shard needs no more reads, a child listed since does", async () => {
  const { caughtUp, ask, isSettled } = asked();
  caughtUp.beginListing()(["a"]);
  ask();
  caughtUp.drained("a");
  caughtUp.beginListing()(["a", "child"]);
  expect(await isSettled()).toBe(false);
  caughtUp.beginRead("child")();
  expect(await isSettled()).toBe(true);
});

test("stopping answers everybody", async () => {
  const { caughtUp, ask, isSettled } = asked();
  ask();
  caughtUp.stop();
  expect(await isSettled()).toBe(true);
});
