import { createRequire } from "node:module";
import { isDeepStrictEqual } from "node:util";
import type * as Yaml from "yaml";
import type { Document, Node, Pair, Scalar } from "yaml";
import { present } from "../../platform/json.ts";

/** A handler as it is written into a file. */
export interface WrittenHandler {
  readonly subscribes: readonly string[];
  readonly run: { readonly command: readonly string[] };
  readonly timeout?: string | undefined;
  readonly channel?: string | undefined;
}

/** The text of a file with one more handler. Its other lines stay unchanged wherever that is possible. */
export function withHandler(text: string, name: string, handler: WrittenHandler): string {
  const yaml = createRequire(import.meta.url)("yaml") as typeof Yaml;
  const document = read(yaml, text);
  const wanted = read(yaml, text);
  set(wanted, name, handler);
  const inserted = insert(yaml, { text, document, name, handler });
  const again = read(yaml, inserted);
  const isRight = again.errors.length === 0 && isDeepStrictEqual(again.toJS(), wanted.toJS());
  return isRight ? inserted : wanted.toString({ lineWidth: 0 });
}

function read(yaml: typeof Yaml, text: string): Document {
  return yaml.parseDocument(text, { version: "1.2", schema: "core" });
}

function set(document: Document, name: string, handler: WrittenHandler): void {
  const isEmpty = document.get("handlers") == null;
  if (document.contents === null) document.contents = document.createNode({});
  if (isEmpty) document.set("handlers", document.createNode({}));
  document.setIn(["handlers", name], document.createNode(present(handler)));
}

/** At the end of the existing handlers, or of the file. */
function insert(
  yaml: typeof Yaml,
  parts: { text: string; document: Document; name: string; handler: WrittenHandler },
): string {
  const { text, document, name, handler } = parts;
  const found = document.get("handlers");
  const [items, last] =
    yaml.isMap(found) && found.flow !== true ? [found.items, found.items.at(-1)] : [];
  if (items === undefined || last === undefined) {
    const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    const gap = start === "" ? "" : "\n";
    return `${start}${gap}handlers:\n${lines(yaml, name, handler, "  ").join("\n")}\n`;
  }
  const indent = " ".repeat(columnOf(text, startOf(items[0] ?? last)));
  const at = lineAfter(text, endOf(last));
  const before = text.slice(0, at);
  const own = lines(yaml, name, handler, indent).map((line) => `${line}\n`);
  return `${before}${before.endsWith("\n") ? "" : "\n"}${own.join("")}${text.slice(at)}`;
}

function startOf({ key }: Pair): number {
  return (key as Scalar).range?.[0] ?? 0;
}

/** The end of an entry, without the comments after it. */
function endOf({ key, value }: Pair): number {
  const ends = [key, value].map((node) => (node as Node | null)?.range?.[1] ?? 0);
  return Math.max(...ends);
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}

function lineAfter(text: string, offset: number): number {
  if (text[offset - 1] === "\n") return offset;
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

function lines(
  yaml: typeof Yaml,
  name: string,
  { subscribes, run, timeout, channel }: WrittenHandler,
  indent: string,
): readonly string[] {
  const word = (text: string): string => written(yaml, text);
  const list = (texts: readonly string[]): string => `[${texts.map(word).join(", ")}]`;
  const inner = [
    `subscribes: ${list(subscribes)}`,
    `run: { command: ${list(run.command)} }`,
    ...(timeout === undefined ? [] : [`timeout: ${word(timeout)}`]),
    ...(channel === undefined ? [] : [`channel: ${word(channel)}`]),
  ];
  return [`${indent}${name}:`, ...inner.map((line) => `${indent}  ${line}`)];
}

/** Plain if it is read back as the same text, and otherwise in quotes. */
function written(yaml: typeof Yaml, text: string): string {
  const isPlain = /^[A-Za-z0-9./_][\w./-]*$/.test(text) && yaml.parse(text) === text;
  return isPlain ? text : JSON.stringify(text);
}
