import type { TextOutput } from "./command.js";

interface ProgressBar {
  /** @param share of the work that is done, 0 to 1; null where nobody knows */
  show(share: number | null, text: string): void;
  /** Before anything else is written, and at the end. */
  clear(): void;
}

const WIDTH = 24;

/** One line at the foot of a terminal; nothing where there is none. */
export function progressBar(output: TextOutput): ProgressBar {
  if (output.isTTY !== true) return { show() {}, clear() {} };
  let shown = false;
  const clear = () => {
    if (shown) output.write("\r\u001b[2K");
    shown = false;
  };
  return {
    show(share, text) {
      clear();
      const filled = Math.round(WIDTH * Math.min(1, share ?? 0));
      const bar = share === null ? "" : `${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} `;
      output.write(`${bar}${text}`);
      shown = true;
    },
    clear,
  };
}
