/** A formatted range of a message; offset and length count UTF-16 units. */
export interface Entity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly language?: string;
}

/** A text as people see it. */
export interface Shown {
  readonly text: string;
  readonly entities: readonly Entity[];
}

/** The tags of the Bot API, and the entity of each. */
const tags: Readonly<Record<string, string>> = {
  a: "text_link",
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  s: "strikethrough",
  strike: "strikethrough",
  del: "strikethrough",
  u: "underline",
  ins: "underline",
  "tg-spoiler": "spoiler",
  span: "spoiler",
  "tg-emoji": "custom_emoji",
  pre: "pre",
  code: "code",
  blockquote: "blockquote",
};

interface Open {
  readonly tag: string;
  readonly offset: number;
  readonly attributes: Readonly<Record<string, string>>;
}

interface Reading {
  readonly html: string;
  at: number;
  text: string;
  readonly open: Open[];
  readonly entities: Entity[];
}

/**
 * Reads HTML as the Bot API does, and throws its errors: `Unsupported start tag "x" at byte offset 3`.
 * It is stricter in one way: nesting that the real one drops silently (marks inside code, a quote in
 * a quote, a link in a link) is refused here, since it is a mistake.
 */
export function readTelegramHtml(html: string): Shown {
  const reading: Reading = { html, at: 0, text: "", open: [], entities: [] };
  while (reading.at < html.length) {
    if (html.startsWith("</", reading.at)) close(reading);
    else if (html[reading.at] === "<") open(reading);
    else reading.text += character(reading);
  }
  const left = reading.open.at(-1);
  if (left !== undefined)
    throw new Error(`Can't find end tag corresponding to start tag "${left.tag}"`);
  const { text, entities } = reading;
  return {
    text,
    entities: entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length),
  };
}

const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };
const reference = /&(?:#x(?<hex>[\da-f]{1,6})|#(?<decimal>\d{1,7})|(?<name>[a-z]+));?/iy;

/** One character, or a character reference. Unknown references are kept. */
function character(reading: Reading): string {
  const { html, at } = reading;
  const plain = String.fromCodePoint(html.codePointAt(at) ?? 0);
  reference.lastIndex = at;
  const found = plain === "&" ? reference.exec(html) : null;
  const { hex, decimal, name } = found?.groups ?? {};
  const code = hex === undefined ? Number(decimal ?? 0) : Number.parseInt(hex, 16);
  const meant =
    name === undefined
      ? code > 0 && code < 0x10_ff_ff
        ? String.fromCodePoint(code)
        : undefined
      : named[name];
  reading.at += meant === undefined ? plain.length : (found?.[0].length ?? 0);
  return meant ?? plain;
}

function open(reading: Reading): void {
  const { html, at: start } = reading;
  const where = `at byte offset ${bytes(html, start)}`;
  const tag = take(reading, /<([^\s>]*)/y).toLowerCase();
  if (reading.at >= html.length) throw new Error(`Unclosed start tag ${where}`);
  if (!Object.hasOwn(tags, tag)) throw new Error(`Unsupported start tag "${tag}" ${where}`);
  const attributes: Record<string, string> = {};
  for (;;) {
    take(reading, /(\s*)/y);
    if (reading.at >= html.length) throw new Error(`Unclosed start tag "${tag}" ${where}`);
    if (html[reading.at] === ">") break;
    const [name, value] = attribute(reading, tag);
    attributes[name] = value;
  }
  reading.at += 1;
  if (tag === "span" && attributes["class"] !== "tg-spoiler") {
    throw new Error(`Tag "span" must have class "tg-spoiler" ${where}`);
  }
  checkNesting(reading, tag, where);
  reading.open.push({ tag, offset: reading.text.length, attributes });
}

function attribute(reading: Reading, tag: string): [name: string, value: string] {
  const { html } = reading;
  const where = `of the tag "${tag}" at byte offset ${bytes(html, reading.at)}`;
  const name = take(reading, /([^\s=>/"']*)/y).toLowerCase();
  if (name === "") throw new Error(`Empty attribute name ${where.replace("of", "in")}`);
  if (name === "expandable" && /[\s>]/.test(html[reading.at] ?? "")) return [name, ""];
  take(reading, /(\s*)/y);
  if (html[reading.at] !== "=") {
    throw new Error(`Expected equal sign in declaration of an attribute ${where}`);
  }
  take(reading, /(=\s*)/y);
  const quote = html[reading.at] ?? "";
  if (quote !== '"' && quote !== "'") {
    const value = take(reading, /([\w.-]*)/y);
    if (/[\s>]/.test(html[reading.at] ?? "")) return [name, value];
    throw new Error(`Unexpected end of name token at byte offset ${bytes(html, reading.at)}`);
  }
  reading.at += 1;
  let value = "";
  while (reading.at < html.length && html[reading.at] !== quote) value += character(reading);
  reading.at += 1;
  if (reading.at > html.length) throw new Error(`Unclosed start tag ${where}`);
  return [name, value];
}

function checkNesting({ open }: Reading, tag: string, where: string): void {
  const around = open.map((each) => each.tag);
  const inner = around.at(-1);
  const isCode = inner === "code" || inner === "pre";
  const isLanguage = inner === "pre" && tag === "code";
  const isTwice = (tag === "a" || tag === "blockquote") && around.includes(tag);
  if ((isCode && !isLanguage) || isTwice) {
    throw new Error(`Tag "${tag}" can't be inside of "${inner ?? ""}" ${where}`);
  }
}

function close(reading: Reading): void {
  const { html, at: start } = reading;
  const offset = bytes(html, start);
  const last = reading.open.pop();
  if (last === undefined) throw new Error(`Unexpected end tag at byte offset ${offset}`);
  const tag = take(reading, /<\/([^\s>]*)\s*/y).toLowerCase();
  if (html[reading.at] !== ">") throw new Error(`Unclosed end tag at byte offset ${offset}`);
  if (tag !== "" && tag !== last.tag) {
    throw new Error(
      `Unmatched end tag at byte offset ${offset}, expected "</${last.tag}>", found "</${tag}>"`,
    );
  }
  reading.at += 1;
  const length = reading.text.length - last.offset;
  if (length > 0) note(reading, last, length);
}

function note(reading: Reading, last: Open, length: number): void {
  const { entities, open, text } = reading;
  const { tag, offset, attributes } = last;
  if (tag === "pre") return fence(entities, offset, length);
  if (tag === "code" && open.at(-1)?.tag === "pre") {
    // Only its language counts; the code block around it takes it over.
    const language = /^language-(.+)$/.exec(attributes["class"] ?? "")?.[1];
    if (language !== undefined) entities.push({ type: "language", offset, length, language });
    return;
  }
  // A link without an address points to its own text.
  const url = tag === "a" ? { url: attributes["href"] ?? text.slice(offset) } : {};
  entities.push({ type: tags[tag] ?? tag, offset, length, ...url });
}

function fence(entities: Entity[], offset: number, length: number): void {
  const inner = entities.at(-1)?.type === "language" ? entities.pop() : undefined;
  const isWhole = inner?.offset === offset && inner.length === length;
  const language = isWhole ? inner.language : undefined;
  entities.push({ type: "pre", offset, length, ...(language === undefined ? {} : { language }) });
}

function take(reading: Reading, shape: RegExp): string {
  shape.lastIndex = reading.at;
  const found = shape.exec(reading.html);
  reading.at += found?.[0].length ?? 0;
  return found?.[1] ?? "";
}

function bytes(html: string, at: number): number {
  return Buffer.byteLength(html.slice(0, at));
}
