interface Collector {
  gc?(options?: { type: "minor" }): void;
}

const collect = (options?: { type: "minor" }): void => {
  const { gc } = globalThis as Collector;
  if (gc === undefined) throw new Error("Run with node --expose-gc.");
  gc(options);
};

/** Moves what was just made out of the young generation, so that no measurement pays for carrying it. Twice: objects move at their second survival. */
export const settleYoungObjects = (): void => {
  collect({ type: "minor" });
  collect({ type: "minor" });
};

/** Bytes in the heap that something still refers to. */
export const heapUsed = (): number => {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
};
