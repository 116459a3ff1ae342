import type { PageFeed } from "../lib/ui/page-feed.js";
import { liveBlock } from "./live-block.js";
import { newModel, nextModel } from "./live-model.js";

export interface Screen {
  /** A line that stays. */
  line(text: string): void;
  /** A line about one batch: where a block is drawn, that shows it already. */
  event(text: string): void;
  /** Draws one job at the foot of a terminal until the returned function is called; nothing elsewhere. */
  follow(feed: PageFeed, query: string, total: number): () => void;
  /** Whether a block is drawn, so that the feed has a reader. */
  readonly live: boolean;
}

const WIDTH = 80;
const EVERY_MS = 100;

export function openScreen(output: NodeJS.WriteStream): Screen {
  const live = output.isTTY === true;
  const colours = live && (process.env["NO_COLOR"] ?? "") === "";
  // Whoever pipes it into head has seen enough.
  output.on("error", () => process.exit());
  let drawn: readonly string[] = [];
  /** The cursor stands below the block. */
  const wipe = () => (drawn.length === 0 ? "" : `\u001b[${drawn.length}A\u001b[0J`);
  const block = () => drawn.map((line) => `${line}\n`).join("");
  const line = (text: string) => void output.write(`${wipe()}${text}\n${block()}`);
  return {
    live,
    line,
    event: (text) => (live ? undefined : line(text)),
    follow(feed, query, total) {
      if (!live) return () => {};
      let model = newModel(query, total);
      const unsubscribe = feed.subscribe((message) => {
        if (message.query === query) model = nextModel(model, message);
      });
      const draw = () => {
        const next = liveBlock(model, Math.min(WIDTH, output.columns || WIDTH), colours);
        output.write(wipe());
        drawn = next;
        output.write(block());
      };
      const timer = setInterval(draw, EVERY_MS);
      return () => {
        clearInterval(timer);
        unsubscribe();
        draw();
        drawn = [];
      };
    },
  };
}
