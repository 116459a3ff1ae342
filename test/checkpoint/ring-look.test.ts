import { describe, expect, it } from "vitest";
import type { ObjectStore } from "../../lib/checkpoint/object-store.js";
import { AT, change, draft, never, step, testWorld } from "./test-world.js";

describe("a look at a state partition", () => {
  it.each([{ ringSize: 1 }, { ringSize: 4, inlineLimitBytes: 0 }, { ringSize: 8, inlineLimitBytes: 700 }, {}])(
    "tells, at every batch, the position that a load would, and reads no object but the manifest: $ringSize, $inlineLimitBytes",
    async (options) => {
      const world = testWorld(options);
      const fetched: string[] = [];
      const objects: ObjectStore = {
        ...world.objects,
        get: (key) => {
          fetched.push(key);
          return world.objects.get(key);
        },
      };
      const warm = world.open();
      for (let n = 1; n <= 60; n++) {
        await step(warm, world.publisher, n);
        const cold = world.open({ objects });
        fetched.length = 0;
        const look = await cold.look!();
        expect(look!.position).toEqual(warm.position());
        // Its own publishing is on nobody's record yet, unless a snapshot of it stands.
        expect(look!.pending).toBe((await world.log.readPointer(AT))?.batchId !== n);
        expect(fetched.filter((key) => !key.includes("/manifest-"))).toEqual([]);
        expect(fetched.length).toBeLessThanOrEqual(1);
        // It leaves nothing behind: the environment is as cold as before, and loads the same.
        expect(await cold.load()).toEqual({ coldStart: true });
        expect(cold.position()).toEqual(warm.position());
      }
    },
  );

  it("says whether output waits, and is for cold environments only", async () => {
    const { open, publisher } = testWorld();
    const empty = await open().look!();
    expect(empty).toMatchObject({ pending: false, position: { version: 0 } });
    const warm = open();
    await warm.load();
    await warm.commit(draft(1), change(warm, 1), publisher);
    expect(await open().look!()).toMatchObject({ pending: true, position: { version: 1 } });
    expect(await warm.look!()).toBeNull();
    // Another environment publishes it, commits nothing, and so records it on the snapshot item.
    const other = open();
    await other.load();
    await other.publish(publisher, never);
    expect(await open().look!()).toMatchObject({ pending: false, position: { version: 1 } });
  });

  it("finds newer code as a load does", async () => {
    const { open, publisher } = testWorld();
    await step(open({ generation: 2 }), publisher, 1);
    await expect(open().look!()).rejects.toThrow("superseded");
  });
});
