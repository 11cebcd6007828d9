import { createRequire } from "node:module";
import type * as Yaml from "yaml";
import type { Alias, LineCounter, Node, YAMLMap } from "yaml";
import { pathText, type Path } from "../../platform/settings/tree.ts";
import { oneLine } from "../../platform/text.ts";

/** The content of a YAML file, with positions. */
export interface Document {
  tree: unknown;
  problems: readonly string[];
  /** `daybook.yaml:14:3`: the position of the key of a path, or of the last existing key on the way to it. */
  place(path: Path): string;
}

/** A larger file is refused. */
const bytesMax = 256 * 1_024;
const aliasesMax = 100;

interface Walk {
  yaml: typeof Yaml;
  anchors: Map<string, Node>;
  aliases: number;
  /** Where in the text the key of a path begins. */
  offsets: Map<string, number>;
  problem(offset: number, text: string): void;
}

export function readDocument(text: string, name: string): Document {
  const problems: string[] = [];
  const offsets = new Map<string, number>();
  const bytes = Buffer.byteLength(text);
  if (bytes > bytesMax) {
    problems.push(`${name}  has ${bytes} bytes: keep it under ${bytesMax}`);
    return { tree: undefined, problems, place: () => name };
  }
  // Loaded only for a file: most commands and daemons run without one.
  const yaml = createRequire(import.meta.url)("yaml") as typeof Yaml;
  const lineCounter = new yaml.LineCounter();
  const place = (offset: number): string => `${name}:${position(lineCounter, offset)}`;
  const walk: Walk = {
    yaml,
    anchors: new Map(),
    aliases: 0,
    offsets,
    problem: (offset, text) => void problems.push(`${place(offset)}  ${text}`),
  };
  const tree = parse(text, lineCounter, walk);
  return { tree, problems, place: (path) => place(offsetOf(offsets, path)) };
}

/** The content as plain data; undefined if it is not YAML. */
function parse(text: string, lineCounter: LineCounter, walk: Walk): unknown {
  const document = walk.yaml.parseDocument(text, {
    version: "1.2",
    schema: "core",
    lineCounter,
    prettyErrors: false,
    // It compares every key with every other, which takes a minute for a long file. `plainMap` checks instead.
    uniqueKeys: false,
  });
  // One mistake can cause hundreds of errors, of which the first are enough.
  const faults = [...document.errors, ...document.warnings].slice(0, 10);
  for (const { pos, code, message } of faults) walk.problem(pos[0], faultText(code, message));
  if (faults.length > 0) return undefined;
  return plain(document.contents, [], walk) ?? {};
}

function faultText(code: string, message: string): string {
  if (code === "MULTIPLE_DOCS") return "a second document starts here: keep one";
  return `cannot be read: ${oneLine(message, 200)}`;
}

function plain(node: Node | null, path: Path, walk: Walk): unknown {
  const { isAlias, isMap, isScalar, isSeq } = walk.yaml;
  if (isAlias(node)) return plainAlias(node, path, walk);
  if ((isMap(node) || isScalar(node) || isSeq(node)) && node.anchor !== undefined) {
    walk.anchors.set(node.anchor, node);
  }
  if (isMap(node)) return plainMap(node as YAMLMap<Node, Node | null>, path, walk);
  if (isScalar(node)) return node.value;
  if (!isSeq(node)) return null;
  return (node.items as Node[]).map((item, at) => {
    walk.offsets.set(JSON.stringify([...path, at]), startOf(item));
    return plain(item, [...path, at], walk);
  });
}

function plainMap(map: YAMLMap<Node, Node | null>, path: Path, walk: Walk): unknown {
  const entries = new Map<string, unknown>();
  for (const { key, value } of map.items) {
    if (!walk.yaml.isScalar(key)) {
      walk.problem(startOf(key ?? map), "a key must be a word");
      continue;
    }
    const name = key.source ?? String(key.value);
    const here = [...path, name];
    if (entries.has(name)) walk.problem(startOf(key), `${pathText(here)} is set twice: keep one`);
    walk.offsets.set(JSON.stringify(here), startOf(key));
    entries.set(name, plain(value, here, walk));
  }
  // From entries, so that a key named __proto__ stays a key.
  return Object.fromEntries([...entries].filter(([, held]) => held !== undefined));
}

/** An alias refers to an anchor before it, and aliases are limited. */
function plainAlias(alias: Alias, path: Path, walk: Walk): unknown {
  const meant = walk.anchors.get(alias.source);
  walk.aliases += 1;
  if (meant !== undefined && walk.aliases <= aliasesMax) return plain(meant, path, walk);
  if (meant === undefined) walk.problem(startOf(alias), "no such anchor before it");
  if (walk.aliases === aliasesMax + 1) {
    walk.problem(startOf(alias), `more than ${aliasesMax} aliases: write the values out`);
  }
  return undefined;
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

function offsetOf(offsets: ReadonlyMap<string, number>, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const offset = offsets.get(JSON.stringify(path.slice(0, length)));
    if (offset !== undefined) return offset;
  }
  return 0;
}

function position(lineCounter: LineCounter, offset: number): string {
  const { line, col } = lineCounter.linePos(offset);
  return `${Math.max(line, 1)}:${Math.max(col, 1)}`;
}
