/** Control characters, escapes of a terminal among them, and what turns the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const MAX_LENGTH = 1_000;

/** Text of a stranger as a terminal may show it: nothing in it moves the cursor or colours the next line, and it ends. */
export function plainText(text: string, maxLength = MAX_LENGTH): string {
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return cut.replace(UNPRINTABLE, (unprintable) => `\\u${unprintable.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
