import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { s3ObjectStore } from "../checkpoint/s3-object-store.js";
import { userError } from "../errors.js";
import { lazyClients } from "../lambda/clients.js";
import { hasOwnEndpoints } from "../lambda/environment.js";
import { DEFAULT_LIMITS } from "../sources/decode-limits.js";
import { linesOf } from "../sources/file-lines.js";
import { bytesOf } from "../sources/files.js";
import { inflatedObject } from "./inflated-object.js";
import { bucketAndKey } from "./s3-address.js";

type Env = Readonly<Record<string, string | undefined>>;

/** What late replay has put beside the results. */
const isCorrected = (name: string): boolean => /(^|[\\/])corrected[\\/]/.test(name);

const isOutput = (name: string): boolean => /\.jsonl(\.gz)?$/.test(name);

/**
 * The lines of an output as its sink wrote them: a file, a folder with all that is below it, or `s3://bucket/prefix`, in order of name,
 * which is the order of batches. Of the folder of `tidemark run --output` the file of that output alone.
 *
 * @throws `output-missing` where nothing stands there
 */
export async function* outputLines(place: string, output: "result" | "late", env: Env): AsyncGenerator<Uint8Array> {
  const address = bucketAndKey(place);
  if (address === null) {
    for (const path of await filesIn(place, output)) yield* linesOf(bytesOf(path), DEFAULT_LIMITS.maxBytes);
    return;
  }
  const store = s3ObjectStore(await lazyClients(hasOwnEndpoints(env)).s3(), address.bucket);
  const prefix = isOutput(address.key) || address.key === "" ? address.key : address.key.replace(/\/*$/, "/");
  let found = false;
  for await (const { key } of store.list(prefix)) {
    const bytes = isOutput(key) ? await store.get(key) : null;
    if (bytes === null) continue;
    found = true;
    yield* linesOf(Readable.from([inflatedObject(key, bytes)]), DEFAULT_LIMITS.maxBytes);
  }
  if (!found) throw missing(place);
}

async function filesIn(place: string, output: "result" | "late"): Promise<readonly string[]> {
  const found = await stat(place).catch(() => null);
  if (found === null) throw missing(place);
  if (!found.isDirectory()) return [place];
  const names = (await readdir(place, { recursive: true }))
    .filter(isOutput)
    .filter((name) => !isCorrected(name))
    .sort();
  const own = `${output}.jsonl`;
  const paths = (names.includes(own) ? [own] : names).map((name) => join(place, name));
  if (paths.length === 0) throw missing(place);
  return paths;
}

const missing = (place: string) =>
  userError(
    "output-missing",
    `There are no JSON lines at '${place}'.`,
    "Name a .jsonl or .jsonl.gz file, a folder of them, or s3://bucket/prefix.",
  );
