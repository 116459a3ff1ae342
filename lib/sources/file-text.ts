import { Buffer, isUtf8 } from "node:buffer";
import { userError } from "../errors.js";

/** Text of a file as it is cut into rows, and how a piece of it becomes what it says. */
interface FileText {
  readonly chunks: AsyncIterable<string>;
  /** Undefined: the bytes are no text of the encoding. */
  readonly decode: (piece: string) => string | undefined;
}

/**
 * UTF-8 is cut as bytes and decoded piece by piece, so that bytes which are none make one row malformed and not the file; ISO-8859-1 is bytes.
 * Of any other encoding the whole is decoded, and a fault ends the reading.
 * @throws `file-encoding`
 */
export function fileText(bytes: AsyncIterable<Uint8Array>, encoding: string, path: string): FileText {
  const name = encoding.toLowerCase();
  if (LATIN_1.has(name)) return { chunks: latin1(bytes), decode: (piece) => piece };
  if (new TextDecoder(name).encoding === "utf-8") return { chunks: latin1(bytes), decode: utf8Piece };
  return { chunks: decoded(bytes, encoding, path), decode: (piece) => piece };
}

/** `TextDecoder` takes these names for windows-1252, which is another one between 0x80 and 0x9F. */
const LATIN_1: ReadonlySet<string> = new Set(["iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1"]);

async function* latin1(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const chunk of bytes)
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString("latin1");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const ASCII = /^[\x00-\x7f]*$/;

function utf8Piece(piece: string): string | undefined {
  if (ASCII.test(piece)) return piece;
  const bytes = Buffer.from(piece, "latin1");
  return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw userError("file-encoding", `'${path}' is not in ${encoding}.`, "Name the encoding that it is in.", cause);
  }
}
