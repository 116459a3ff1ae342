import { userError } from "../errors.js";
import type { OutboxPart } from "../sinks/sink.js";
import { encodePack } from "./outbox-codec.js";
import { MAX_STEPS } from "./published-position.js";
import type { Ring } from "./ring.js";
import type { OutboxWriter } from "./state-partition.js";
import type { Pack } from "./stored-blob.js";
import { noUploads, type Uploads, upload } from "./stored-blobs.js";

/** Their keys stand in the slot's item, which DynamoDB limits to 400 KB. */
const MAX_PACKS = 2_000;

/** The ring's side of an outbox. A part that is larger than a pack stands alone in one. */
export interface Outbox extends OutboxWriter {
  readonly uploads: Uploads;
  /** Closed and uploaded, in order. */
  readonly packs: Pack[];
  /** The pack that is open still, encoded; null if there is none. */
  last(): { readonly bytes: Uint8Array; readonly steps: number } | null;
}

export function newOutbox(ring: Ring): Outbox {
  const uploads = noUploads();
  const packs: Pack[] = [];
  let steps: OutboxPart[][] = [];
  let bytes = 0;
  let total = 0;

  const last = () => (steps.length === 0 ? null : { bytes: encodePack(steps), steps: steps.length });

  const close = async (): Promise<void> => {
    const pack = last();
    if (pack === null) return;
    [steps, bytes] = [[], 0];
    packs.push({ blob: await upload(ring, uploads, "outbox", pack.bytes), steps: pack.steps });
  };

  return {
    uploads,
    packs,
    last,
    async add(parts) {
      for (const part of parts) {
        if (bytes > 0 && bytes + part.bytes.length > ring.options.packBytes) await close();
        const open = steps.at(-1);
        if (part.joins === true && open?.[0]?.output === part.output) open.push(part);
        else {
          steps.push([part]);
          total++;
        }
        bytes += part.bytes.length;
        if (packs.length >= MAX_PACKS || total > MAX_STEPS) throw tooLarge(ring, packs.length);
      }
    },
  };
}

const tooLarge = (ring: Ring, packs: number): Error =>
  userError(
    "output-too-large",
    `One batch of ${ring.options.query} has more output than a commit may hold: ${packs} packs of 4 MB are full.`,
    "Let windows close at different times or raise the number of batches: a smaller batchSize of the source.",
  );
