/** The object's own member, never an inherited one such as `toString`; null if there is none. */
export const ownMember = (object: unknown, name: string): unknown =>
  typeof object === "object" && object !== null && Object.hasOwn(object, name)
    ? ((object as Record<string, unknown>)[name] ?? null)
    : null;
