/** The inputs of the cut by name: which reading of which source, for a self join reads one twice (S1). */
export function inputNames(sources: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return sources.map((source) => {
    const ordinal = (seen.get(source) ?? 0) + 1;
    seen.set(source, ordinal);
    return `${ordinal}:${source}`;
  });
}
