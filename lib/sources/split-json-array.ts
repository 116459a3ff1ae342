/**
 * The elements of a JSON array as they stand in its text, so that each is read with all its digits; null where the brackets and
 * commas are not those of one array. Whether an element is JSON its own parse says.
 */
export function splitJsonArray(text: string): readonly string[] | null {
  const end = text.length - 1;
  if (text[0] !== "[" || text[end] !== "]") return null;
  const elements: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 1; at < end; at++) {
    const char = text[at];
    if (char === '"') at = stringEnd(text, at);
    else if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth--;
    else if (char === "," && depth === 0) {
      elements.push(text.slice(start, at));
      start = at + 1;
    }
    if (depth < 0 || at >= end) return null;
  }
  if (depth !== 0) return null;
  const last = text.slice(start, end);
  if (elements.length === 0 && last.trim() === "") return [];
  return [...elements, last];
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
