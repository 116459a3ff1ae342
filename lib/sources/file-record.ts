import type { JsonBytes } from "./scan/json-skip.js";
import type { MalformedRow, PayloadPlace, SourceRecord } from "./source.js";

/** A record of a file: its number over all files is its sequence. */
export type FileRecord = SourceRecord & { readonly byteLength: number };

/** A line of a file; a class, because neither its bytes nor its number as text are made for the many records that nobody asks for them. */
export class LineRecord implements FileRecord, PayloadPlace {
  readonly sub = 0;
  readonly arrival = null;

  constructor(
    private readonly ordinal: number,
    readonly text: JsonBytes,
    readonly start: number,
    readonly end: number,
  ) {}

  get sequence(): string {
    return String(this.ordinal);
  }

  get place(): PayloadPlace {
    return this;
  }

  get byteLength(): number {
    return this.end - this.start;
  }

  get data(): Uint8Array {
    return this.text.bytes.subarray(this.start, this.end);
  }
}

/** A row of a file that is no text line. */
export class ValueRecord implements FileRecord {
  readonly sub = 0;
  readonly arrival = null;
  readonly isRow = true;
  readonly malformed?: MalformedRow;

  constructor(
    private readonly ordinal: number,
    readonly data: Uint8Array,
    malformed: MalformedRow | undefined,
  ) {
    if (malformed !== undefined) this.malformed = malformed;
  }

  get sequence(): string {
    return String(this.ordinal);
  }

  get byteLength(): number {
    return this.data.byteLength;
  }
}
