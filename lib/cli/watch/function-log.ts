import type { QueryProgress } from "../../runtime/progress.js";

/** Splits what a function writes into lines and hears the progress records among them, as a log subscription would. */
export function functionLog(onProgress: (progress: QueryProgress) => void, onError: (line: string) => void) {
  let rest = "";
  return (text: string): void => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const entry = parse(line);
      if (entry === null) continue;
      if (entry.progress !== undefined) onProgress(entry.progress);
      else if (entry.level === "ERROR" || entry.level === "CRITICAL") onError(entry.message ?? line);
    }
  };
}

interface LogEntry {
  readonly level?: string;
  readonly message?: string;
  readonly progress?: QueryProgress;
}

function parse(line: string): LogEntry | null {
  if (!line.startsWith("{")) return null;
  try {
    return JSON.parse(line) as LogEntry;
  } catch {
    return null;
  }
}
