import { invalidArgument } from "./kinesis-context.js";

/** What a client hands back unread: JSON in base64. */
export const encodeToken = (content: object): string => Buffer.from(JSON.stringify(content)).toString("base64");

/** @param complaint what the service says of a token that it did not make */
export function decodeToken<Content>(token: string, complaint: string): Content {
  try {
    return JSON.parse(Buffer.from(token, "base64").toString("utf8")) as Content;
  } catch {
    throw invalidArgument(complaint);
  }
}
