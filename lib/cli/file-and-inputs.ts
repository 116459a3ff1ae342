interface Token {
  readonly kind: string;
  readonly name?: string;
  readonly value?: string | undefined;
}

/**
 * The first word is the query's file, if the command takes one; `--input` takes all words up to the next option, as a shell's `*` gives
 * them.
 */
export function fileAndInputs(
  tokens: readonly Token[],
  takesFile = true,
): readonly [file: string | undefined, inputs: readonly string[]] {
  let file: string | undefined;
  const inputs: string[] = [];
  for (const token of tokens) {
    if (token.kind === "option" && token.name === "input" && token.value !== undefined) inputs.push(token.value);
    if (token.kind !== "positional" || token.value === undefined) continue;
    if (takesFile && file === undefined) file = token.value;
    else inputs.push(token.value);
  }
  return [file, inputs];
}
