export interface Measured {
  readonly name: string;
  readonly microsPerRow: number;
}

/**
 * Median CPU time of the rounds, not wall time: other work on the machine moves the clock, not the ratio of two CPU times
 * taken in turn within one run.
 */
export function measureInTurn(
  rows: number,
  rounds: number,
  candidates: Readonly<Record<string, () => void>>,
): readonly Measured[] {
  const names = Object.keys(candidates);
  const samples = new Map<string, number[]>(names.map((name) => [name, []]));
  for (let round = -2; round < rounds; round++) {
    for (const name of names) {
      const before = process.cpuUsage();
      candidates[name]!();
      const used = process.cpuUsage(before);
      if (round >= 0) samples.get(name)!.push((used.user + used.system) / rows);
    }
  }
  return names.map((name) => ({ name, microsPerRow: median(samples.get(name)!) }));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
