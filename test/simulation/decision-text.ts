/** Decision lists as one word of a command line: `12,0x7,3` is 12, seven zeros, 3. */
export function decisionText(decisions: readonly number[]): string {
  const words: string[] = [];
  for (let at = 0; at < decisions.length; ) {
    let end = at;
    while (decisions[end] === 0) end++;
    if (end - at > 1) words.push(`0x${end - at}`);
    else words.push(String(decisions[at]));
    at = Math.max(end, at + 1);
  }
  return words.join(",");
}

export const parseDecisions = (text: string): readonly number[] =>
  text
    .split(",")
    .filter((word) => word !== "")
    .flatMap((word) => {
      const zeros = /^0x(\d+)$/.exec(word);
      return zeros === null ? [Number(word)] : new Array<number>(Number(zeros[1])).fill(0);
    });
