/** One seeded change of behaviour. */
export interface Mutant {
  readonly name: string;
  /** What the change forgets, by rule or counterexample of the protocol where there is one. */
  readonly about: string;
  readonly edits: readonly Edit[];
  /** Which simulator plays it; absent: that of one stage. */
  readonly world?: "stages";
}

/** `find` stands exactly once in the file. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export const mutant = (
  name: string,
  about: string,
  ...edits: readonly (readonly [string, string, string])[]
): Mutant => ({
  name,
  about,
  edits: edits.map(([file, find, replace]) => ({ file, find, replace })),
});
