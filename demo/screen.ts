export interface Screen {
  line(text: string): void;
  /** A bar at the foot of a terminal; nothing elsewhere, where `line` tells enough. */
  progress(label: string, done: number, total: number): void;
}

const WIDTH = 32;

export function openScreen(output: NodeJS.WriteStream): Screen {
  const terminal = output.isTTY === true;
  // Whoever pipes it into head has seen enough.
  output.on("error", () => process.exit());
  let bar = "";
  const clear = () => (bar === "" ? "" : "\r\u001b[2K");
  return {
    line(text) {
      output.write(`${clear()}${text}\n${bar}`);
    },
    progress(label, done, total) {
      if (!terminal) return;
      const filled = Math.round((WIDTH * done) / Math.max(1, total));
      const next = `${label} ${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${done.toLocaleString("en")} / ${total.toLocaleString("en")}`;
      output.write(`${clear()}${done >= total ? "" : next}`);
      bar = done >= total ? "" : next;
    },
  };
}
