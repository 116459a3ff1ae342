import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const LIB = join(ROOT, "lib");
const MAX_LINES = 400;
const SERVICE_FILE = /^(dynamodb|s3|kinesis)-/;
const COMPOSITION_ROOTS = new Set(["lambda", "local", "cli"]);

interface Import {
  readonly from: string;
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** As the other file calls them; `*`: all. */
  readonly names: readonly string[];
}

/** Room → rooms that it may import; `types` only by `import type`. */
type Table = ReadonlyMap<string, ReadonlyMap<string, "values" | "types">>;

function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "vendor" || entry.name === "node_modules" ? [] : filesUnder(path);
    return path.endsWith(".ts") || path.endsWith(".tsx") ? [path] : [];
  });
}

const STATEMENT = /^(?:import|export)\s+(type\s+)?([^;"'`]*?)\s*from\s*["']([^"']+)["']/gm;
const BARE = /^import\s*["']([^"']+)["']/gm;
const DYNAMIC = /\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** What a file imports or exports again, read from its text: the native compiler has no API to ask. */
function importsOf(file: string): readonly Import[] {
  const text = readFileSync(file, "utf8").replace(/^\s*(\/\/|\*|\/\*).*$/gm, "");
  const statements = [...text.matchAll(STATEMENT)].map(([, type, names, specifier]) => ({
    from: file,
    specifier: specifier!,
    typeOnly: type !== undefined || allTypes(names!),
    names: importedNames(names!),
  }));
  const values = [...text.matchAll(BARE), ...text.matchAll(DYNAMIC)].map(([, specifier]) => ({
    from: file,
    specifier: specifier!,
    typeOnly: false,
    names: ["*"],
  }));
  return [...statements, ...values];
}

/** `{ type A, B as C }` gives A and B; anything without braces may be all there is. */
function importedNames(names: string): readonly string[] {
  const braces = /^\{([\s\S]*)\}$/.exec(names.trim());
  if (braces === null) return ["*"];
  return braces[1]!.split(",").map((name) =>
    name
      .trim()
      .replace(/^type /, "")
      .replace(/ as .*$/, ""),
  );
}

/** `{ type A, type B }`, and nothing that stands beside the braces. */
function allTypes(names: string): boolean {
  const braces = /^\{([\s\S]*)\}$/.exec(names.trim());
  if (braces === null) return false;
  const each = braces[1]!.split(",").map((name) => name.trim());
  return each.filter((name) => name !== "").every((name) => name.startsWith("type "));
}

function roomOf(file: string): string {
  const parts = relative(LIB, file).split("/");
  if (parts.length > 1) return parts[0]!;
  return parts[0] === "errors.ts" ? "errors" : "doors";
}

function readTable(): Table {
  const rows = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8").matchAll(/^\| ([a-z]+) \|([^|]*)\|$/gm);
  return new Map(
    [...rows]
      .filter(([, room]) => room !== "room")
      .map(([, room, may]) => {
        const allowed = may!.split(",").map((entry) => entry.trim());
        const pairs = allowed
          .filter((entry) => entry !== "")
          .map((entry) => {
            const types = entry.endsWith("(types)");
            return [entry.replace("(types)", "").trim(), types ? "types" : "values"] as const;
          });
        return [room!, new Map(pairs)] as const;
      }),
  );
}

/** A sentence per forbidden arrow. */
function forbidden(table: Table, imports: readonly Import[]): readonly string[] {
  return imports.flatMap(({ from, specifier, typeOnly }) => {
    if (!specifier.startsWith(".")) return [];
    const target = resolve(dirname(from), specifier.replace(/\.js$/, ".ts"));
    const [room, other] = [roomOf(from), roomOf(target)];
    if (room === other || other === "errors") return [];
    const allowed = table.get(room)?.get(other);
    if (allowed === "values" || (allowed === "types" && typeOnly)) return [];
    const what = typeOnly ? "types of" : "values of";
    return [`${relative(ROOT, from)} imports ${what} ${relative(ROOT, target)}: ${room} may not`];
  });
}

/** Arrows of the table that nobody uses, or uses for types alone. */
function unused(table: Table, imports: readonly Import[]): readonly string[] {
  const used = new Map<string, "values" | "types">();
  for (const { from, specifier, typeOnly } of imports) {
    if (!specifier.startsWith(".")) continue;
    const arrow = `${roomOf(from)} → ${roomOf(resolve(dirname(from), specifier))}`;
    if (!typeOnly) used.set(arrow, "values");
    else if (!used.has(arrow)) used.set(arrow, "types");
  }
  return [...table].flatMap(([room, allowed]) =>
    [...allowed]
      .filter(([other, what]) => used.get(`${room} → ${other}`) !== what)
      .map(([other]) => `${room} → ${other}`),
  );
}

const EXPORT = /^export (?:abstract |async )?(?:const|function\*?|class|interface|type) (\w+)/gm;

/** Names that a file exports and no other file imports. */
function deadExports(files: readonly string[], users: readonly string[]): readonly string[] {
  const wanted = new Map<string, Set<string>>();
  for (const { from, specifier, names } of users.flatMap(importsOf)) {
    if (!specifier.startsWith(".")) continue;
    const file = resolve(dirname(from), specifier.replace(/\.js$/, ".ts"));
    const known = wanted.get(file) ?? new Set();
    for (const name of names) known.add(name);
    wanted.set(file, known);
  }
  return files.flatMap((file) => {
    const exported = [...readFileSync(file, "utf8").matchAll(EXPORT)].map(([, name]) => name!);
    const asked = wanted.get(file) ?? new Set();
    return asked.has("*")
      ? []
      : exported.filter((name) => !asked.has(name)).map((name) => `${relative(ROOT, file)}: ${name}`);
  });
}

const table = readTable();
const files = filesUnder(LIB);
const imports = files.flatMap(importsOf);

describe("the rooms of lib", () => {
  it("are those of ARCHITECTURE.md's table", () => {
    const rooms = new Set(files.map(roomOf));
    expect([...rooms].filter((room) => !table.has(room))).toEqual([]);
  });

  it("import only what the table allows", () => {
    expect(forbidden(table, imports)).toEqual([]);
  });

  it("need every arrow that the table gives them", () => {
    expect(unused(table, imports)).toEqual([]);
    expect(unused(table, [])).toContain("plan → time");
  });

  it("export what another file imports, and no more", () => {
    const folders = ["lib", "functions", "infra", "test", "bench", "demo"].map((folder) => join(ROOT, folder));
    const inner = files.filter((file) => roomOf(file) !== "doors");
    expect(deadExports(inner, folders.flatMap(filesUnder))).toEqual([]);
  });

  it("would not get away with another arrow", () => {
    const from = join(LIB, "operators/window.ts");
    const runtime = { from, specifier: "../runtime/clock.js", typeOnly: false, names: [] };
    const values = { from: join(LIB, "state/x.ts"), specifier: "../plan/schema.js", typeOnly: false, names: [] };
    expect(forbidden(table, [runtime])).toHaveLength(1);
    expect(forbidden(table, [values])).toHaveLength(1);
    expect(forbidden(table, [{ ...values, typeOnly: true }])).toEqual([]);
  });

  it("bring the AWS SDK only in files named for a service and in the composition roots", () => {
    const users = imports
      .filter(({ specifier }) => specifier.startsWith("@aws-sdk/") || specifier.startsWith("@smithy/"))
      .map(({ from }) => from)
      .filter((file) => !COMPOSITION_ROOTS.has(roomOf(file)) && !SERVICE_FILE.test(relative(dirname(file), file)));
    expect([...new Set(users.map((file) => relative(ROOT, file)))]).toEqual([]);
  });

  it("import everything by its name: there is no default export", () => {
    const offenders = files.filter((file) => /^export default /m.test(readFileSync(file, "utf8")));
    expect(offenders.map((file) => relative(ROOT, file))).toEqual([]);
  });
});

/** The first cycle of value imports that is found, as the files along it; null if there is none. */
function cycleOf(among: readonly Import[]): readonly string[] | null {
  const targets = new Map<string, string[]>();
  for (const { from, specifier, typeOnly } of among) {
    if (typeOnly || !specifier.startsWith(".")) continue;
    targets.set(from, [...(targets.get(from) ?? []), resolve(dirname(from), specifier.replace(/\.js$/, ".ts"))]);
  }
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const target of targets.get(file) ?? []) {
      const cycle = walk(target, [...path, file]);
      if (cycle !== null) return cycle;
    }
    done.add(file);
    return null;
  };
  for (const file of targets.keys()) {
    const cycle = walk(file, []);
    if (cycle !== null) return cycle.map((step) => relative(ROOT, step));
  }
  return null;
}

describe("the files of lib", () => {
  it("import no values in a circle: whichever is loaded first, what it needs is there", () => {
    expect(cycleOf(imports)).toBeNull();
    const arrow = (from: string, to: string, typeOnly = false): Import => ({
      from: join(LIB, from),
      specifier: `./${to}.js`,
      typeOnly,
      names: [],
    });
    const back = arrow("b.ts", "a");
    expect(cycleOf([arrow("a.ts", "b"), back])).toEqual(["lib/a.ts", "lib/b.ts", "lib/a.ts"]);
    expect(cycleOf([arrow("a.ts", "b", true), back])).toBeNull();
  });
});

describe("the queries in functions", () => {
  it("import the doors of lib and nothing behind them", () => {
    const behind = filesUnder(join(ROOT, "functions"))
      .flatMap(importsOf)
      .filter(({ specifier }) => /\/lib\/.+\//.test(specifier));
    expect(behind.map(({ from, specifier }) => `${relative(ROOT, from)} imports ${specifier}`)).toEqual([]);
  });
});

describe("every source file", () => {
  it(`has at most ${MAX_LINES} lines`, () => {
    const folders = ["lib", "functions", "infra", "test", "bench", "demo"].map((folder) => join(ROOT, folder));
    const long = folders
      .flatMap(filesUnder)
      .map((file) => ({ file, lines: readFileSync(file, "utf8").split("\n").length - 1 }))
      .filter(({ lines }) => lines > MAX_LINES);
    expect(long.map(({ file, lines }) => `${relative(ROOT, file)}: ${lines} lines`)).toEqual([]);
  });
});
