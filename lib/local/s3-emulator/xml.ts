/** A document of elements: a string or number is text, an array repeats its element, undefined is left out. */
export type XmlNode = string | number | { readonly [element: string]: XmlNode | readonly XmlNode[] | undefined };

export function xmlDocument(root: string, node: XmlNode): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${element(root, node)}`;
}

function element(name: string, node: XmlNode): string {
  if (typeof node !== "object") return `<${name}>${escapeText(String(node))}</${name}>`;
  const children = Object.entries(node).flatMap(([child, value]) => {
    if (value === undefined) return [];
    return Array.isArray(value) ? value.map((one: XmlNode) => element(child, one)) : [element(child, value as XmlNode)];
  });
  return `<${name}>${children.join("")}</${name}>`;
}

const escapeText = (text: string): string => text.replace(/[&<>"'\r\n]/g, (c) => `&#${c.charCodeAt(0)};`);

/** The texts of every element of this name, in order. Enough for the flat documents that S3 clients send. */
export function textsOf(document: string, name: string): readonly string[] {
  return [...document.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map((match) => unescapeText(match[1]!));
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescapeText(text: string): string {
  return text.replace(/&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));/g, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    return decimal ? String.fromCodePoint(Number(decimal)) : (NAMED[name] ?? whole);
  });
}
