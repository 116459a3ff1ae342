import type { Dictionary } from "./dictionary.js";
import type { Vector } from "./vector.js";

/** Text as numbers of a dictionary: equal numbers, equal texts. A string is made when it is first asked for. */
export class TextVector implements Vector {
  constructor(
    /** `NO_TEXT` where the row is NULL. */
    readonly ids: Int32Array,
    readonly dictionary: Dictionary,
  ) {}

  get(row: number): string | null {
    const id = this.ids[row]!;
    return id < 0 ? null : this.dictionary.text(id);
  }

  gather(rows: Int32Array): TextVector {
    return new TextVector(
      Int32Array.from(rows, (row) => this.ids[row]!),
      this.dictionary,
    );
  }
}

export const NO_TEXT = -1;
