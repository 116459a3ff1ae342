import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { count, kinesis, memory, readStream, window } from "../../lib/index.js";
import { type Equal, expectType } from "./expect-type.js";
import type { RowIn } from "./streams.js";

const zod = readStream(
  kinesis({
    stream: "a",
    schema: z.object({ at: z.string(), user: z.object({ id: z.string() }), tags: z.array(z.string()).optional() }),
  }),
);
expectType<
  Equal<RowIn<typeof zod>, { readonly at: string; readonly user: { id: string }; readonly tags: string[] | null }>
>();
const timed = zod.withWatermark("at", "10 minutes");
expectType<Equal<RowIn<typeof timed>["at"], number>>();
timed
  .groupBy(window("at", "5 minutes"))
  .agg({ n: count() })
  .writeStream({ queryName: "q", outputMode: "append", sink: memory() });

const valibot = readStream(memory({ name: "b", schema: v.object({ at: v.string(), n: v.nullable(v.number()) }) }));
expectType<Equal<RowIn<typeof valibot>, { readonly at: string; readonly n: number | null }>>();

const ark = readStream(memory({ name: "c", schema: type({ at: "string", "n?": "number" }) }));
expectType<Equal<RowIn<typeof ark>, { readonly at: string; readonly n: number | null }>>();
// @ts-expect-error no such column
ark.select("nope");
