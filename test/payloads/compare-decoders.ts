import { isDeepStrictEqual } from "node:util";
import { seededRandom } from "../../lib/local/seeded-random.js";
import type { Schema } from "../../lib/plan/schema.js";
import { compileRowDecoder } from "../../lib/sources/row-decoder.js";
import { compileBatchDecoder } from "../../lib/sources/scan/batch-decoder.js";
import type { Payload } from "../../lib/sources/source.js";
import { chance } from "./random.js";
import { randomPayload } from "./random-payload.js";
import { randomSchema } from "./random-schema.js";

export interface Difference {
  readonly schema: Schema;
  readonly payload: string;
  readonly what: string;
}

interface Comparison {
  readonly difference: Difference | null;
  readonly payloads: number;
  readonly declined: number;
  readonly malformed: number;
}

/** Two batches of one random schema by the row decoder and by the scanner: every column, every row as an object, every malformed reason. */
export function compareDecoders(seed: number, perBatch = 40): Comparison {
  const random = seededRandom(seed);
  const schema = randomSchema(random);
  const decode = compileRowDecoder(schema);
  let declined = 0;
  let malformed = 0;
  const counted = Object.assign((bytes: Uint8Array) => decode(bytes), {
    batch: (payloads: readonly Payload[]) => {
      declined += payloads.length;
      return decode.batch!(payloads);
    },
  });
  const wanted = new Set(schema.fields.map(({ name }) => name).filter(() => chance(random, 0.6)));
  const share = chance(random, 0.2) ? 0.3 : 0;
  const declines = () => chance(random, share);
  const scan = compileBatchDecoder(schema, counted, { wanted: chance(random, 0.3) ? null : wanted, declines });
  for (let batch = 0; batch < 2; batch++) {
    const bytes = Array.from({ length: perBatch }, () => randomPayload(random, schema));
    const payloads: Payload[] = bytes.map((data) =>
      chance(random, 0.5) ? { data } : { data, base64: data.toString("base64") },
    );
    const found = scan(payloads);
    for (let at = 0; at < bytes.length; at++) {
      const expected = decode(bytes[at]!);
      const fault = found.malformed.get(at);
      const differs = (what: string): Comparison => ({
        difference: { schema, payload: bytes[at]!.toString("base64"), what },
        payloads: 2 * perBatch,
        declined,
        malformed,
      });
      if ("malformed" in expected) {
        malformed++;
        if (!isDeepStrictEqual(fault, expected)) return differs(`malformed as ${JSON.stringify(expected)}`);
        continue;
      }
      if (fault !== undefined) return differs(`not malformed: ${JSON.stringify(fault)}`);
      for (const { name } of schema.fields) {
        const [value, wantedValue] = [found.table.column(name).get(at), expected.row[name] ?? null];
        if (!isDeepStrictEqual(value, wantedValue))
          return differs(`column ${name}: ${String(wantedValue)}, not ${String(value)}`);
      }
      const row = found.table.row(at);
      for (const { name } of schema.fields)
        if (!isDeepStrictEqual(row[name] ?? null, expected.row[name] ?? null)) return differs(`row, column ${name}`);
    }
  }
  return { difference: null, payloads: 2 * perBatch, declined, malformed };
}
